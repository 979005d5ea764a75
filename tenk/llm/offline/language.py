"""A text in, why the offline writer has no rules for it out, or None for English.

Cheap on purpose, for captions may be four words long and misspelled: other scripts show in the letters; of languages in
Latin script the most frequent words show. A text is taken for English unless something says otherwise:

- less than 70 % of its letters are Latin;
- it has at least two of the most frequent words of other languages, and more of those than of English ones;
- it has 12 words or more and none of the most frequent English ones.
"""

from __future__ import annotations

import re
import unicodedata

from tenk.llm.offline.wordlists import words

_ENGLISH = words("""
    the a an of to and is are was were in on at with his her their its he she they it we you this that for from
    by as up down into out then there while be has have who one two man woman people
    """)
_OTHERS = words("""
    el la los las una uno del con por para que está están y su sus se le les des du une est sont dans sur avec
    qui et ses elle ils pour der die das den dem ein eine einen einem ist sind und mit auf von zu im nicht auch
    il lo gli che di della nel sono é e o os as um uma no na em com não het een van op zijn en met voor niet och
    är på det att som med ett jest na się w z do i ve bir bu ile için
    """) - {"as", "do", "no", "i", "in", "on", "w", "z", "o", "e"}
_WORD = re.compile(r"[^\W\d_]+")
_LATIN, _LONG, _FOREIGN = 0.7, 12, 2


def refusal(text: str) -> str | None:
    """What is wrong with `text`, as a sentence; None where it can be read as English."""
    letters = [letter for letter in text if letter.isalpha()]
    if not letters:
        return "there are no words in it"
    latin = sum("LATIN" in unicodedata.name(letter, "") for letter in letters) / len(letters)
    if latin < _LATIN:
        return f"only {latin:.0%} of its letters are Latin"
    words = [word.lower() for word in _WORD.findall(text)]
    english = sum(word in _ENGLISH for word in words)
    foreign = sum(word in _OTHERS for word in words)
    if foreign >= _FOREIGN and foreign > english:
        return "its most frequent words are not English ones"
    if len(words) >= _LONG and not english:
        return f"none of its {len(words)} words is one of the most frequent English words"
    return None
