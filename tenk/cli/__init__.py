"""The `tenk` command: one module a verb group, put together in `app`; it parses, calls the library and prints."""
