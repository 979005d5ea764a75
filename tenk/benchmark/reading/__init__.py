"""Files in, what they hold out, aligned by nothing yet: scores.py relevance.py texts.py models.py.

What they share is in files.py. Each reader names the file and the place in it where something is wrong.
"""

from __future__ import annotations
