"""Writer settings in, the writer out."""

from __future__ import annotations

from tenk.llm.protocol import Writer
from tenk.llm.settings import WriterSettings


def make_writer(settings: WriterSettings, *, pipeline: str | None) -> Writer:
    """The writer that `settings` describe; `pipeline` names the spaCy pipeline of the offline one (None: the default).

    Costs no network and needs no key: those are looked for when the writer is first asked to write.
    """
    if settings.name == "openai":
        from tenk.llm.openai import OpenAIWriter

        return OpenAIWriter(settings)
    from tenk.llm.offline.writer import OfflineWriter

    return OfflineWriter(pipeline)
