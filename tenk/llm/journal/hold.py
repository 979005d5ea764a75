"""What a session has in the journal: who it is, what it claims, and what it could not keep."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tenk.llm.journal.owners import Owner


@dataclass
class Hold:
    """What a session has in the journal; worst costs in US dollars by key.

    `claimed` are its claims; `buried` those that others counted as lost when they took it for dead. `unkept` are the
    costs (None: unknown) of replies that could not be committed.
    """

    owner: Owner
    cap: float | None
    claimed: dict[str, float] = field(default_factory=dict)
    buried: dict[str, float] = field(default_factory=dict)
    unkept: dict[str, float | None] = field(default_factory=dict)
    taken_for_dead: bool = False

    def copy(self) -> Hold:
        """Another, for a transaction that may fail."""
        return replace(self, claimed={**self.claimed}, buried={**self.buried}, unkept={**self.unkept})

    def bury(self) -> None:
        """Takes note that others took this session for dead and counted its claims as lost."""
        self.taken_for_dead = True
        self.buried.update(self.claimed)
        self.claimed.clear()
