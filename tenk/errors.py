"""The exceptions of `tenk`. Each message says what is wrong, where, and the mend.

    TenkError                   1   anything that stops a run with an explanation
    ├── UsageError              2   the command, a flag or the environment is wrong
    │   └── ConfigError         2   a configuration file is wrong (names the file and the key)
    ├── SourceError             1   annotations cannot be read (names the file and the video)
    ├── TemplateError           1   a prompt template is malformed (names the file and the line)
    ├── PipelineError           1   no usable spaCy pipeline
    ├── WriterError             1   the writer cannot go on
    │   ├── BudgetError         4   the cost cap is reached
    │   └── CredentialsError    5   the key is missing, wrong or not allowed
    ├── JournalError            1   the journal cannot be read or written
    ├── DatasetError            1   a dataset cannot be written, read or exported
    ├── BenchmarkError          1   scores, relevance or judgements cannot be used (names the file and the id)
    └── LockedError             1   another run is writing to the same outputs

The number is the exit code of the command (3, partial and resumable, and 130, interrupted, are outcomes of a run and
not errors).
"""

from __future__ import annotations

from typing import ClassVar


class TenkError(Exception):
    """Base of all errors that `tenk` raises on purpose; `str(error)` is meant for people."""

    exit_code: ClassVar[int] = 1


class UsageError(TenkError):
    exit_code = 2


class ConfigError(UsageError):
    pass


class SourceError(TenkError):
    pass


class TemplateError(TenkError):
    pass


class PipelineError(TenkError):
    pass


class WriterError(TenkError):
    pass


class BudgetError(WriterError):
    exit_code = 4


class CredentialsError(WriterError):
    exit_code = 5


class JournalError(TenkError):
    pass


class DatasetError(TenkError):
    pass


class BenchmarkError(TenkError):
    pass


class LockedError(TenkError):
    pass
