"""The Batch API of an OpenAI-compatible provider as a writer: half the price, within a day, resumable at any moment.

    writer.py        BatchWriter: requests in, answers out, as any writer
    desk.py          many callers, one task that does everything (waiting.py: who waits for what)
      outbox.py      gathers requests and sends them off
        packing.py   requests into as few files as the provider's limits allow
        sending.py   one batch: upload, creation, note of its id; what a crash left open is found again
      lookout.py     looks after open batches, hands out what they bring, has the rest sent again
        ending.py    one batch that has ended: its files read, its replies into the journal
        output.py    lines of output and error files, joined by custom_id
    provider.py      the Files and Batches endpoints; remote.py: a batch as they tell of it
    tending.py       batches looked after from outside of any run; beside.py: writers that ask one by one meanwhile
    store.py         tenk_batches and tenk_batch_keys of the journal; records.py: what they hold

The one rule of it: nothing is sent unless the journal says so first, and what the journal says was sent is looked for
and never sent again. A request is in one open batch at most.
"""
