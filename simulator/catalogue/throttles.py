"""Throttle tables. The specification shows no numbers.

Source: Limits, Throttling. Choices: D-76 (windows), D-90 (`sandbox`), D-91 (`field`), D-340.
"""

from collections.abc import Mapping

from simulator.grammar.throttles import MERCHANT, OBJECT, Limit, ThrottleTable

MINUTE_S, DAY_MINUTES = 60, 24 * 60
# How long a window may be: those that lie side by side and still begin with a minute and a day.
WINDOWS_S = (
    *(seconds for seconds in range(1, MINUTE_S) if not MINUTE_S % seconds),
    *(MINUTE_S * count for count in range(1, DAY_MINUTES + 1) if not DAY_MINUTES % count),
)

# fmt: off
# Without a token anybody who knows a checkout may open its form. Choice: D-340.
FORM = (
    Limit("open_form",                 OBJECT,         100, 60),
)

OFF = ThrottleTable("off")

SANDBOX = ThrottleTable("sandbox", (
    #     operation                    scope     limit      window_s
    Limit("*",                         MERCHANT, 1_000_000, 60),
    *FORM,
))

FIELD = ThrottleTable("field", (
    #     operation                    scope     limit      window_s
    Limit("read_payment",              OBJECT,           2, 60),
    Limit("refer_payment",             OBJECT,         200, 60),
    Limit("read_checkout_payment",     OBJECT,           2, 60),
    Limit("update_checkout",           OBJECT,         200, 60),
    Limit("pay_registration",          OBJECT,         200, 60),
    Limit("query_payment",             OBJECT,           2, 60),
    Limit("query_payments",            MERCHANT,         2, 60),
    *FORM,
))
# fmt: on

# No operation of these was ever served. Tables that earlier releases stored have rows for them.
FORMER_OPERATIONS = frozenset({"read_secure_registration"})

THROTTLES: Mapping[str, ThrottleTable] = {row.name: row for row in (OFF, SANDBOX, FIELD)}
