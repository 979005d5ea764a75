"""Captions in, graded relevance of every video to every text out, and what models are worth by it: SVR.

proxies.py        captions -> similarity of each to each: bow, pos, syn, meteor
matrix.py         the record of it: dense or sparse, with ids; assembly.py makes it, file.py keeps it
recipe.py         a proxy by its name, with its options, on the captions that sources.py finds
evaluate.py       scores + relevance -> nDCG both ways and their mean, Table 3 and Figure 7
bounds.py         what geometric-mean recall could be if near-duplicates counted, Figure 5
thresholds.py     relevant captions a video over a threshold, Figure 4
correlation.py    how far proxies agree with one another, Figure 8; describe.py shows both
agreement.py      how far they agree with people, Table 2
baseline.py       what random scores would get

Wray, Doughty and Damen, On Semantic Similarity in Video Retrieval (CVPR 2021).
"""

from __future__ import annotations
