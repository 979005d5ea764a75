"""A word in, the verb it is a form of out: the verbs that captions of videos use, with all their forms.

Taggers trained on news and reviews take "brushes", "talks" or "passes" after a subject for plural nouns; this list is
what `atoms` checks them against.
"""

from __future__ import annotations

from tenk.llm.offline.inflect import FORMS, Form, verb
from tenk.llm.offline.wordlists import in_order

BASES: tuple[str, ...] = in_order("""
    accept ache achieve act adapt add address adjust admire admit advance aim allow announce answer apologize
    appear applaud apply approach argue arm arrange arrive ascend ask assemble assist attach attack attempt
    attend avoid axe backflip bake balance bandage bang bark bat bathe battle be beat become beg begin bend
    bite blast blend blink block blow board bob boil bounce bow bowl box braid brake break breathe bring browse
    brush buckle buff build bump burn bury buy call capture care carry carve cast catch cease celebrate
    challenge change chant chase chat check cheer chew choose chop chuckle chug circle clamp clap clean clear
    clench climb cling clip close coach coat collect collide color comb come commence comment compare compete
    complete concentrate conclude conduct congratulate connect consist construct contain contemplate continue
    converse cook cool count cover crack crash crawl create creep cross crouch cruise crush cry curl cut cycle
    dance dangle dart dash deal debate decide decorate defend delete demonstrate depart depict descend describe
    detail dig dip direct disappear discuss dish dismount display dive do dock dodge doze drag drain draw dress
    dribble drift drill drink drip drive drizzle drop drum dry duck dump dunk eat edge edit embrace emerge empty
    end engage enjoy enter erase erupt escape examine exchange execute exercise exhale exhibit exit expand
    explain explore express extend face fade fail fall fasten feature feed feel fence fetch fiddle fight file
    fill film find finish fish fit fix flap flash flatten flex flick fling flip float flow fly focus fold follow
    force form frost frown fry fumble gain gallop gather gaze gesture get giggle give glance glide glue go grab
    grate graze greet grill grin grind grip groom grow guide hammer hand handle hang happen haul have head hear
    help hesitate hide high-five highlight hike hit hold honor hop hover hug hula hurdle hurl hurry ice identify
    illustrate imitate impress include indicate inflate inform insert inspect install instruct interact
    interview introduce invite iron jab jerk jog join joke juggle jump kayak keep kick kiss knead kneel knit
    knock know label lace land lap lather laugh launch lay lead lean leap learn leave let level lick lie lift
    light like limp line link list listen live load lob lock look loop loosen lose love lower lunge maintain
    make manage maneuver march mark mash massage master match measure meet melt mention mess miss mix model
    moisturize mop motion mount move mow name narrate navigate need nod note notice nudge observe offer open
    operate order organize overlap overlook pace pack paddle paint pan park parry part participate pass paste
    pat pause pay pedal peddle peel peer perch perform pet pick pile pin pitch pivot place plan plant plaster
    play plow pluck plug plunge point poke polish pop portray pose position pounce pound pour practice praise
    prance prepare present press pretend prevent proceed produce promote propel provide pull pump punch purchase
    push put quit race raise rake ram reach react read rearrange receive recline recognize record recover reel
    refer rehearse relax release remain remove repair repeat replace reply rescue resist respond rest restart
    result resume retreat retrieve return reveal reverse review ride ring rinse rip rise roast rock roll
    rollerblade rotate row rub ruffle run rush sail sand save saw say scan scare scatter scold scoop score
    scrape scratch scream screw scroll scrub scuff sculpt seal search season see seem select send separate serve
    set sew shake shape share sharpen shave shear shift shine shoot shop shout shovel show shower shred shuffle
    shut sign signal sing sip sit skate skateboard sketch ski skip slam slap sled sleep slice slide slip slow
    smash smear smell smile smoke smooth snap snatch sneak sneeze sniff snip snorkel snow snowboard snowtube
    soak soar solve somersault soothe sort spar speak spike spill spin splash split spray spread sprinkle sprint
    squat squeeze squirt stab stack stand stare start stay steal steam steer step stick stir stomp stop store
    strap stretch strike string stroke stroll struggle strum study stumble style suggest suit surf surface
    surround survey swallow swap swat sway sweep swim swing swirl switch tackle take talk tap tape taste tattoo
    taunt teach tear teeter tell test thank throw thrust tie tighten tilt tip toast topple toss touch tour tow
    trade train transfer transform transition transport travel tread treat trick trim trip trot try tuck tug
    tumble turn twirl twist type unbox uncover unfold unlace unload unpack unroll unscrew untie unwrap use
    utilize vacuum vault view visit volley wade wait wake walk wander want warm wash watch water wave wax wear
    weave weigh weld wet wheel whip whisk whisper whistle win wind windsurf wink wipe wonder work wrap wrestle
    write yell zip zoom
    """)
"""The verbs in their base form."""

FORMS_OF: dict[str, tuple[str, Form]] = {
    inflected: (base, form) for form in reversed(FORMS) for base in BASES for inflected in [verb(base, form)]
}
"""A form to its base and the first of `FORMS` it is; "put" is a base, "played" a past."""


def lemma(word: str) -> str:
    """The base of the verb form `word` in lower case; by its ending where the verb is not in the list."""
    known = FORMS_OF.get(word)
    if known:
        return known[0]
    for ending, instead in (
        ("ies", "y"),
        ("ing", ""),
        ("ied", "y"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("ed", ""),
        ("s", ""),
    ):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word[: -len(ending)] + instead
    return word


def third(word: str) -> bool:
    """Whether `word` can be a third person singular of a known verb."""
    return word in FORMS_OF and FORMS_OF[word][1] == "third"


def base(word: str) -> bool:
    """Whether `word` can be the base of a known verb."""
    return word in FORMS_OF and FORMS_OF[word][1] == "base"
