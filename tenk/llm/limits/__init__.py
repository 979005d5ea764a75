"""Times and outcomes of attempts in, how many may be in flight and how fast they may go out: nothing here has a clock.

control     one decision for the Limiter: may the next request go, and if not, when to ask again
bucket      requests or tokens a minute, as known from the settings or from headers
pace        the rate that an endpoint which tells nothing seems to allow, learnt from its 429s
delivered   what was let through lately, and the estimate of the rate from it
slots       how many requests in flight an endpoint bears, learnt from its 503s
headers     x-ratelimit-* as numbers
"""
