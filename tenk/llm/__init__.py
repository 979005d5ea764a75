"""Requests in, replies out: each asked once, kept for good, and found again in every later run.

protocol.py           what every writer is; settings.py says which one, writers.py makes it
ask.py                the journal in front of a writer: only what is missing is asked, and kept before it is given out
journal/              replies by the hash of their request (keys.py); claims, money, and many runs at a time
openai.py             the writer for Chat Completions endpoints, made of
    dialect.py            model -> the parameters it takes
    dispatch.py           many requests at a time, retried, stopped where it is hopeless
    limiter.py            when each may go; limits/ decides: slots, rates, pauses
    classify.py           HTTP error -> what it means for the run (faults.py); scrub.py: without secrets
    completion.py         response -> draft; pricing.py: tokens -> US dollars
offline/              the writer that works by rules
estimate.py           requests -> calls, tokens (tokens.py) and US dollars, before anything is sent
"""
