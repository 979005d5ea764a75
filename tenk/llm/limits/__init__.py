"""Times and outcomes of attempts in, how many may be in flight and how fast they may go out: nothing here has a clock.

control.py      one decision for the Limiter: may the next request go, and if not, when to ask again
bucket.py       requests or tokens a minute, as known from the settings or from headers (headers.py)
pace.py         the rate of an endpoint that does not tell it, learnt from its refusals, with the help of
    delivered.py    what was let through lately: an estimate of the rate
    chance.py       refusals that have nothing to do with the rate
    measure.py      whether the limit counts requests or tokens
slots.py        how many requests in flight an endpoint bears, learnt from its overloads
"""
