"""Writer settings in, the writer out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tenk.llm.protocol import Writer
from tenk.llm.settings import WriterSettings

if TYPE_CHECKING:
    from tenk.llm.journal import Journal, Session


def make_writer(
    settings: WriterSettings,
    *,
    pipeline: str | None,
    journal: Journal | None = None,
    session: Session | None = None,
    leave: bool = False,
) -> Writer:
    """The writer that `settings` describe; `pipeline` names the spaCy pipeline of the offline one (None: the default).

    Costs no network and needs no key: those are looked for when the writer is first asked to write. With `journal`, the
    openai writer asks for nothing that is in an open batch. The openai-batch writer needs it to write at all, and the
    `session` that claims its requests; with `leave` it waits for no batch.
    """
    if settings.name == "openai":
        from tenk.llm.openai import OpenAIWriter

        if journal is None:
            return OpenAIWriter(settings)
        from tenk.llm.batch.beside import beside_batches

        return beside_batches(OpenAIWriter(settings), journal)
    if settings.name == "openai-batch":
        from tenk.llm.batch.writer import BatchWriter

        return BatchWriter(settings, journal=journal, session=session, leave=leave)
    from tenk.llm.offline.writer import OfflineWriter

    return OfflineWriter(pipeline)
