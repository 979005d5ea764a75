"""Tables of what a shortened clause must keep: which verbs need what after them, and which words belong together."""

from __future__ import annotations

from tenk.llm.offline.wordlists import words

_FIXED = {
    "P": """
        in front of | next to | on top of | out of | off of | away from | close to | such as | because of |
        instead of | in between | up to | along with | together with | in addition to | on to | in to |
        ahead of | alongside of | across from | as part of | in preparation for | off to the side of |
        in the middle of | at the end of | on the side of | at the top of | at the bottom of |
        in the center of | at the edge of | in the back of | in the background of | on either side of |
        to the side of | up against | on the other side of | from one side of | inside of | outside of |
        from behind | from under | from above | due to | according to | all over | all around |
        right in front of
        """,
    "R": """
        up and down | around and around | back and forth | back and fourth | side to side | from side to side
        | over and over | again and again | at the same time | one by one | one at a time | step by step |
        in slow motion | once again | once more | at once | upside down | left and right | in and out |
        left to right | right to left | head first | feet first | face first | one after the other | one after another |
        off in the distance | off into the distance |
        on and off | round and round | in a row | as well | too much | at first | at last | at least |
        of course | in turn | face down | face up | side by side | hand in hand | in the end |
        in the beginning | after that | from time to time | a little bit | a lot | a bit | each time |
        every time | this time | that night | that day |
        that evening | that morning | over and over again | all the way | all the while | hand over hand |
        here and there | to and fro | inside and out | outside and in | a few times | several times |
        a couple of times | a few more times | two times | three times | many times | multiple times
        """,
    "C": """
        as well as | and also | and then also
        """,
    "B": """
        so that | in case | as soon as | even though | as if | as though | every time that | in order
        """,
    "Q": """
        one of | some of | many of | most of | all of | both of | several of | each of | two of | three of |
        a few | more and more | a couple | a lot of | lots of | a number of | a variety of | a bunch of |
        a series of | a pair of | a couple of | a set of | a piece of | pieces of | a bit of | a couple more |
        a few more | few of | any of | none of | half of | the rest of | the other | another one of
        """,
    "O": """
        each other | one another | the others | this one | that one | the other one
        """,
    "N": """
        high jump | long jump | triple jump | wet suit |
        wet suits | martial arts | front yard | back yard | uneven bars |
        parallel bars | high bar | hot dog | hot dogs | special effects | slow motion | real time | black belt |
        close up | close ups | high five | high fives | thumbs up | jet ski | jet skis | push up | push ups |
        pull ups | sit ups | back flip | back flips | front flip | front flips | hula hoop | hula hoops |
        hula hooping | monkey bar | monkey bars | mouth wash | hop scotch
        """,
}
FIXED: dict[tuple[str, ...], str] = {
    tuple(phrase.split()): kind for kind, phrases in _FIXED.items() for phrase in phrases.split("|")
}
"""Phrases that are one word to the grammar, with the kind of `Atom` they work as."""

CATENATIVES = words("""
    begin start continue stop keep finish go try attempt want need prepare proceed manage decide appear seem
    learn like have fail struggle refuse resume practice enjoy help get love wait pretend choose turn use intend
    plan ready hesitate come commence happen tend hope ask threaten dare set set
    """)
"""Verbs that make one predicate with the infinitive or -ing form after them."""

CATENATIVES_ING = words("""
    begin start continue stop keep finish go try enjoy practice resume quit avoid love like remain come stay
    commence
    """)

ASPECTS = words("begin start continue proceed commence")
"""Of these, a summary may say what is begun rather than that it is begun."""

NEEDS_PLACE = words("""
    put place set lay stick hang tuck attach add apply dip pour insert stand sit lie lean kneel rest hang live
    stay remain remain perch crouch head lead go come get belong consist turn point look stare gaze glance aim
    reach step climb focus listen refer depend rely concentrate zoom cut switch transition move walk arrive
    return land participate engage compete take bring send pass carry deal begin end dress cover surround fill
    mount drop lower secure connect tie throw toss push pull drag rub wrap spread stack slide fasten strap hook
    dump lead show appear balance hold transform become prepare gather line position locate seat guide lean
    float attach hop attend team interact enter run jump dive fall ride hit bump crash wait search care speak
    talk chat wave react respond smile laugh yell shout
    """)
"""Verbs that sound unfinished without the place, goal or partner named after them; how much, `REQUIRED` says."""

REQUIRED = words("""
    ask press keep
    bump put place set lay stick tuck attach add dip insert lie lean belong consist point look stare gaze glance
    aim reach head lead go come get focus listen refer depend rely concentrate participate engage compete dress
    cover surround fill deal transition switch perch locate seat mount connect turn transform fasten hang secure
    step step remain stay cut apply live hop return deal position begin end bring take return move
    """)
"""Of `NEEDS_PLACE` those whose first prepositional phrase stays with them, where there is no particle."""

TAKES_CLAUSE = words("""
    see show watch say explain think know realize notice reveal hear demonstrate describe make mean discuss let
    ensure assure hope believe feel tell
    """)
"""Verbs whose object may be a clause ("shows a man jumps")."""

POSTURES = words("sit stand kneel crouch squat rest lie lean lay hang")
"""Verbs that are rarely told without their place, but may be."""

TRANSITIVE_ALONE = words("""
    take bring move begin end cut return apply set hang mount get cover fill dress
    """)
"""Of `REQUIRED` those that are complete with an object: "takes a ball (from the rack)"."""

ALWAYS = frozenset(["of"])
"""Prepositions whose phrase belongs to the noun before it."""

NESTING = words("""
    in on at with near behind beside under above inside between for from next by about over around underneath
    atop
    """)
"""Prepositions that may continue the noun before them rather than the verb."""

REQUIRED_ADJECTIVES = words("""
    other same first second third next last few many several own top bottom left right whole various different
    main only ready more most less least such certain entire back front final fourth fifth opposite able due
    older younger taller shorter
    sure aware open close upside rest half double middle remaining
    """)
"""Adjectives without which a noun names something else or nothing."""

QUANTITIES = words("""
    group groups lot couple pair set bunch team crowd series number variety piece pieces bit row line stack pile
    cup glass bowl bottle bag box can game round part parts side sides top bottom front back middle center end
    edge corner member members kind type sort class shot shots clip clips scene scenes picture pictures video
    close-up view image images photo photos slice slices handful amount body set sets sheet layer layers gallon
    tub bucket range style form display rest
    """)
"""Nouns that are little without the "of" after them."""

PICTURES = words("""
    play replay replays montage intro outro version ending beginning demonstration scene scenes shot shots clip
    clips picture pictures video videos image images photo photos view views title titles screen word words
    close footage text logo credits camera music lot
    """)
"""What shows things rather than does them: "there are shots of her cleaning" is not "shots of her are cleaning"."""

NEEDS_OBJECT = words("""
    say read ask
    hold take put place set use make get give grab show add remove lift throw pull push hit pick carry wear open
    close apply bring demonstrate display adjust attach cut trim mow pour mix spread rub wipe brush comb kick
    catch toss raise lower have want need attempt try begin start continue stop keep include feature present
    perform do help let allow cover fill connect follow meet see watch pet touch grip lay send pass hand flip
    drop chase paint clean wash apply insert lead shave capture fix cast tie wrap peel squeeze sharpen measure
    polish pierce break cross direct instruct
    """)
"""Verbs that say little without an object, complement or what they begin."""

PHRASAL = {
    "break": "up down off away out",
    "pick": "up",
    "put": "on down away off together up out",
    "take": "off out away down up apart",
    "turn": "on off up down over",
    "throw": "away out up down back",
    "lift": "up",
    "cut": "off up out down away",
    "clean": "up off out",
    "hold": "up out down on",
    "pull": "up out off down back on apart over",
    "wipe": "off down up",
    "blow": "out up off",
    "rinse": "off out",
    "dry": "off",
    "wash": "off out",
    "pour": "out in",
    "roll": "up out over",
    "lay": "down out",
    "hang": "up",
    "open": "up",
    "close": "up",
    "tie": "up off",
    "wrap": "up",
    "mix": "up in",
    "fill": "up out in",
    "chop": "up",
    "pump": "up",
    "try": "out on",
    "show": "off",
    "kick": "off out up",
    "give": "up out",
    "bring": "up out in back down",
    "tear": "off up down apart",
    "screw": "on off in",
    "strap": "on in",
    "raise": "up",
    "set": "up down off",
    "peel": "off",
    "shave": "off",
    "scrape": "off",
    "knock": "down over off out",
    "push": "up down back",
    "light": "up",
    "hand": "out over",
    "let": "out go",
    "gather": "up",
    "rake": "up",
    "sweep": "up",
    "mop": "up",
    "finish": "up off",
    "start": "up off",
    "point": "out",
    "figure": "out",
    "work": "out",
    "use": "up",
    "spray": "down",
    "smooth": "out down",
    "spread": "out",
    "stretch": "out",
    "hook": "up",
    "zip": "up",
    "button": "up",
    "warm": "up",
    "add": "in",
    "end": "up",
    "carry": "out on",
    "line": "up",
    "fold": "up over in",
    "gear": "up",
    "dump": "out",
    "squeeze": "out",
    "slow": "down",
    "speed": "up",
    "plug": "in",
    "toss": "up",
    "trim": "off",
    "lock": "up",
    "load": "up",
    "pack": "up",
    "save": "up",
    "win": "over",
    "swish": "around",
    "flip": "over",
    "scoop": "up out",
    "dig": "up out",
    "shake": "off up",
    "slice": "up",
    "prop": "up",
    "die": "down",
    "suck": "up",
    "drink": "up",
    "soap": "up",
    "measure": "out",
    "call": "out",
    "trace": "out",
    "carve": "out",
    "tape": "up",
    "rip": "up off out",
}
"""Particles that make one verb with these, and may stand before the object: "picks up a ball"."""

PARTICLES = words("""
    up down off out away back over around on in together apart aside forward forwards along through by past
    across
    """)
"""Adverbs that finish a verb."""

FREE = words("as like during while before after until since throughout despite without")
"""Prepositions that no verb asks for."""

CLOTHES = words("""
    shirt shirts shorts pants jacket dress hat coat suit suits top uniform uniforms outfit outfits sweater
    jersey skirt leotard costume costumes clothes clothing vest gloves boots hair jeans hoodie tank robe gown
    apron cap helmet
    """)
"""What people are told apart by, together with its colour: "in a shirt" alone tells nothing."""

MOTION = words("""
    slide walk run ride weave slam dive climb land step jump lead swing fall crash roll crawl move march skate ski jog
    sprint hop
    leap float drift paddle row sail surf fly drive wander wade swim flip tumble push pull press dip
    """)
"""Verbs that tell little without the way or the goal, where they have no object."""

IDLE = words("""
    stand sit kneel lie lay rest lean crouch squat be wear speak talk walk smile look watch appear stay wait hold
    gather pose seem
    have stare gaze gesture point wave continue begin start stop end enter come go see show get turn face
    """)
"""Verbs that anybody may be seen at in any video: they do not tell what this one is about."""

SCENERY = words("""
    camera ground floor grass water beach sand road street sky sun sea ocean lake river crowd audience field court
    track stage air snow ice wall table kitchen room gym pool music game match race wind rain day screen video
    """)
"""What needs no introduction: whoever hears "the floor" knows which."""

TELLING = words("hold show get turn enter gather have")
"""Of `IDLE` those that tell something with an object: "holds up a scarf", "shows how to knit"."""

EMPTY = words("manner way ways amount fashion motion motions position positions pace speed style")
"""Nouns that are nothing without what they are told to be: "in a fast manner"."""

TRUTHS = words("almost nearly barely hardly rarely seldom never not unsuccessfully")
"""Adverbs without which a sentence tells something else."""

RESULTS = words("upside inside face high apart open shut afloat")
"""First words of adverbs that say what becomes of an object: "turns the bike upside down"."""

BARE_AFTER = words("help let go come make watch see have show get try do hear dare need")
"""Verbs that a bare infinitive may stand right behind."""
