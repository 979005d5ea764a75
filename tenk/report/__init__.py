"""Figures in, pictures out. The only room that knows matplotlib.

plots.py   a `Figure` as SVG text; several as files, with the numbers behind each
sheet.py   where the title, legend, panels and note of a figure stand
kinds.py   one way of drawing a kind of plot
style.py   colours, sizes and the settings under which everything is drawn
svg.py     matplotlib's SVG as a small, accessible, self-contained one
"""

from __future__ import annotations
