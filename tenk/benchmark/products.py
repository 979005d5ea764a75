"""Embeddings in, their inner products out, each the same to the last bit wherever and with whatever it is worked out.

A library of linear algebra adds up in an order that depends on the shape of what it is given, and on the machine: two
items with the same embedding would not always tie, nor would rows agree with columns. Here each product is the sum of
its terms from the first to the last, of which many sums are taken side by side.
"""

from __future__ import annotations

import numba
import numpy as np

from tenk.benchmark.compiled import compiled

TILE = 512
"""Items whose embeddings stay in the second cache, for as many rows as CHUNK."""

CHUNK = 64


@compiled(parallel=True)
def inner(queries, items, out):  # type: ignore[no-untyped-def]
    """`queries` [rows, width] and, turned, `items` [width, columns] into `out` [rows, columns]."""
    rows, width = queries.shape
    columns = items.shape[1]
    for chunk in numba.prange((rows + CHUNK - 1) // CHUNK):
        sums = np.empty((4, TILE), queries.dtype)
        four = np.empty((4, width), queries.dtype)
        for left in range(0, columns, TILE):
            right = min(columns, left + TILE)
            for top in range(chunk * CHUNK, min(rows, (chunk + 1) * CHUNK), 4):
                for row in range(4):
                    # Past the last row, that one again.
                    four[row] = queries[min(top + row, rows - 1)]
                sums[:] = 0
                for k in range(0, width - width % 4, 4):
                    terms = (
                        items[k, left:right],
                        items[k + 1, left:right],
                        items[k + 2, left:right],
                        items[k + 3, left:right],
                    )
                    _add_four(four[:, k : k + 4], terms, (sums[0], sums[1], sums[2], sums[3]))
                for k in range(width - width % 4, width):
                    for row in range(4):
                        for c in range(right - left):
                            sums[row, c] += four[row, k] * items[k, left + c]
                for row in range(min(4, rows - top)):
                    out[top + row, left:right] = sums[row, : right - left]


@compiled()
def _add_four(four, items, sums):  # type: ignore[no-untyped-def]
    """Four terms, one after the other, to the sums of four rows."""
    item1, item2, item3, item4 = items
    sum1, sum2, sum3, sum4 = sums
    a1, a2, a3, a4 = four[0, 0], four[0, 1], four[0, 2], four[0, 3]
    b1, b2, b3, b4 = four[1, 0], four[1, 1], four[1, 2], four[1, 3]
    c1, c2, c3, c4 = four[2, 0], four[2, 1], four[2, 2], four[2, 3]
    d1, d2, d3, d4 = four[3, 0], four[3, 1], four[3, 2], four[3, 3]
    for c in range(len(item1)):
        x1, x2, x3, x4 = item1[c], item2[c], item3[c], item4[c]
        sum1[c] = sum1[c] + a1 * x1 + a2 * x2 + a3 * x3 + a4 * x4
        sum2[c] = sum2[c] + b1 * x1 + b2 * x2 + b3 * x3 + b4 * x4
        sum3[c] = sum3[c] + c1 * x1 + c2 * x2 + c3 * x3 + c4 * x4
        sum4[c] = sum4[c] + d1 * x1 + d2 * x2 + d3 * x3 + d4 * x4


@compiled(parallel=True)
def single(queries, items, rows, columns, out):  # type: ignore[no-untyped-def]
    """The products of `queries[rows]` and `items[columns]`, both [number, width], into `out` [pairs]."""
    for pair in numba.prange(len(rows)):
        query, item = queries[rows[pair]], items[columns[pair]]
        total = queries.dtype.type(0)
        for k in range(len(query)):
            total += query[k] * item[k]
        out[pair] = total
