import hashlib

import pytest

from tenk.llm.keys import canonical_json, hash_json, journal_key


def test_the_rule_is_pinned() -> None:
    payload = {"b": [1, 0.7, None, True], "a": {"z": "é\u2028", "y": ""}}
    text = '{"a":{"y":"","z":"\\u00e9\\u2028"},"b":[1,0.7,null,true]}'
    assert canonical_json(payload) == text
    assert journal_key(payload) == hash_json(text) == hashlib.sha256(text.encode()).hexdigest()
    assert journal_key(payload) == "98e72b2bff011ab2511e3ca352fb294a8c2b5171915d458a74a240f35381be37"


def test_order_of_keys_does_not_matter() -> None:
    assert journal_key({"a": 1, "b": 2}) == journal_key({"b": 2, "a": 1})


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_no_numbers_that_json_lacks(value: float) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical_json({"temperature": value})
