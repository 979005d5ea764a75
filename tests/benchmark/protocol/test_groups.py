"""The paper's own arithmetic: All of its Tables 8, 9 and 10 from their Partial, Short and Long."""

from __future__ import annotations

import numpy as np
import pytest

from tenk.benchmark.protocol.groups import ABOUT, GROUPS, by_code, by_group, in_order
from tenk.records import CODES

# All, Short, Long, Partial; R@1, then average recall. Table 11 does not add up, and is no oracle.
TABLE_8 = {
    "VideoCLIP": [(5.3, 4.0, 6.2, 6.6), (13.9, 10.9, 16.3, 16.3)],
    "Frozen": [(11.4, 8.7, 14.2, 11.0), (27.4, 22.8, 32.0, 27.3)],
    "COSA": [(23.9, 16.2, 31.7, 23.7), (43.4, 33.9, 52.9, 43.4)],
    "InternVideo": [(36.0, 27.8, 44.4, 35.0), (57.5, 49.3, 65.9, 56.8)],
    "Domain": [(42.0, 29.9, 53.8, 43.2), (62.8, 51.4, 73.8, 64.5)],
    "10k words": [(44.3, 32.3, 56.2, 44.3), (65.2, 54.8, 75.5, 65.9)],
    "Ours": [(44.8, 33.5, 56.2, 44.7), (66.1, 56.3, 75.9, 66.2)],
}
TABLE_9 = {
    "VideoCLIP": [(6.8, 7.0, 6.4, 7.8), (4.3, 4.1, 4.4, 5.0)],
    "Frozen": [(13.3, 12.2, 15.1, 10.5), (21.4, 17.7, 25.6, 19.3)],
    "COSA": [(27.8, 27.4, 29.6, 21.9), (42.8, 41.0, 44.0, 45.4)],
    "InternVideo": [(46.8, 44.8, 49.2, 45.3), (39.9, 35.4, 45.2, 37.1)],
}
TABLE_10 = {
    "Domain": [(77.3, 65.2, 90.2, 73.8), (86.9, 78.4, 95.9, 84.9)],
    "10k": [(85.2, 78.2, 95.3, 73.0), (92.6, 89.2, 98.2, 83.9)],
    "Ours": [(84.9, 78.0, 95.0, 71.9), (92.5, 89.1, 98.1, 83.3)],
}
ROWS = [row for table in (TABLE_8, TABLE_9, TABLE_10) for rows in table.values() for row in rows]


@pytest.mark.parametrize("row", ROWS)
def test_published_rows_add_up(row: tuple[float, ...]) -> None:
    published, short, long, partial = row
    codes = dict.fromkeys(GROUPS["Short"], short) | dict.fromkeys(GROUPS["Long"], long) | {"p": partial}
    found = by_group(codes)
    # Both sides are rounded to a tenth.
    assert found["All"] == pytest.approx(published, abs=0.1)
    assert (found["Short"], found["Long"], found["Partial"]) == pytest.approx((short, long, partial))
    assert "Full" not in found


def test_all_weighs_by_the_number_of_captions() -> None:
    codes = {code: float(number) ** 2 for number, code in enumerate(CODES)}
    found = by_group(codes)
    assert found["All"] == pytest.approx((found["Partial"] + 4 * found["Short"] + 4 * found["Long"]) / 9)
    assert found["Full"] == codes["f"]
    assert not any("m" in members for members in GROUPS.values())


def test_a_group_without_one_of_its_codes_is_absent() -> None:
    assert set(by_group({code: 1.0 for code in CODES if code != "s+i"})) == {"Full", "Partial", "Long"}
    assert set(by_group({code: 1.0 for code in CODES if code != "p"})) == {"Full", "Short", "Long"}


def test_means_by_code_leave_out_what_nobody_has() -> None:
    codes = ["mine", "u", "f", "f", "f", "s"]
    values = np.array([1.0, 2.0, 3.0, np.nan, 5.0, np.nan])
    assert by_code(codes, values) == {"f": 4.0, "u": 2.0, "mine": 1.0}
    assert list(by_code(codes, values)) == ["f", "u", "mine"]
    assert in_order(codes) == ("f", "s", "u", "mine")


def test_what_is_said_of_groups_is_so() -> None:
    said = dict(part.split(": ") for part in ABOUT.split(". ")[:4])
    assert {group: tuple(codes.split(", ")) for group, codes in said.items()} == {
        group: members for group, members in GROUPS.items() if group != "All"
    }
    assert len(GROUPS["All"]) == 9
    assert not {"m", "f"} & set(GROUPS["All"])
