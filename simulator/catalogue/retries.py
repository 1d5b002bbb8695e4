"""Which declined executions of a schedule are tried again, and how often.

Source: public facts of the field (a recovery plan of up to 5 tries in 20 days). Choice: D-161.
"""

from datetime import timedelta

from simulator.catalogue.results import RESULTS

RETRIES_MAX = 5
RETRY_AFTER = timedelta(days=4)

# A soft decline (300.100.100) is not among them: no shopper is present to be authenticated.
# fmt: off
RETRIED_GROUPS = frozenset({"communication_error"})
RETRIED_CODES = frozenset({
    "800.100.155",   # above available credit
    "800.100.162",   # limit exceeded
    "800.100.163",   # frequency limit reached
    "800.100.164",   # merchant limit exceeded
    "800.100.176",   # account temporarily unavailable
    "800.100.179",   # withdrawal count exceeded
    "800.100.203",   # not enough money
})
# fmt: on


def is_worth_retrying(code: str) -> bool:
    """Whether a decline with this result code may turn into a success later."""
    return code in RETRIED_CODES or RESULTS[code].group in RETRIED_GROUPS
