"""Raw replies in, by the hash of their request; the same replies out, in every later run, on every machine.

records.py      what goes in and comes out
journal.py      the journal: replies and closed conversations, read and written from anywhere
session.py      a run's hold on it: keys claimed before they are sent, replies committed in groups, money counted
    writer.py       the thread that does so, a group a transaction; patience.py: a database that is away for a while
    group.py        what one transaction does, made of
        replies.py      rows of replies; claims.py: keys that somebody is at; money.py: what was and may be spent
        owners.py       who is alive
tables.py       the tables; connect.py: path or URL -> engine; schema.py: made, migrated, checked
place.py        file systems that SQLite cannot share between machines
lines.py        as JSON lines, and back; stats.py, verify.py, prune.py: told, checked, thinned out
check.py        whether a run could use it
errors.py       what a database says, with the mend
"""

from tenk.llm.journal.journal import Journal
from tenk.llm.journal.records import Claim, Claimed, Closed, Entry, Row, Spending, Turn
from tenk.llm.journal.session import Session

__all__ = ["Claim", "Claimed", "Closed", "Entry", "Journal", "Row", "Session", "Spending", "Turn"]
