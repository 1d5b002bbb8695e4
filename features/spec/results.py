"""The result codes the suite relies on, in its own copy.

The specification shows no catalogue of codes; these are the ones that clients of this gateway
family compare for. A success is known by the group, as merchants know it.
"""

import re

SUCCESS = "000.100.110"
MALFORMED = "200.300.404"

TOO_MANY_REQUESTS = "800.120.100"

_SUCCESS = re.compile(r"000\.(000\.|100\.1|[36])")
_REVIEW = re.compile(r"000\.400\.(0[^3]|100)")
_PENDING = re.compile(r"000\.200|800\.400\.5|100\.400\.500")
RESULT_CODE = r"[0-9.]{2,11}"
PAYMENT_ID = r"[0-9A-Za-z]{32}"
CHECKOUT_ID = r"[0-9A-Za-z.-]{32,48}"
NDC = r"[A-Za-z0-9-]{1,69}"
TIMESTAMP = r"[0-9]{4}-[01][0-9]-[0-3][0-9] [0-2][0-9]:[0-5][0-9]:[0-5][0-9](Z|[+-][0-9]{4})"
AUTHORIZATION_CODE = r"[A-Za-z0-9]{6}"
RETRIEVAL_REFERENCE = r"[A-Za-z0-9]{12}"
MERCHANT_ID = r"[A-Za-z0-9]{1,15}"
TERMINAL_TIME = r"[0-9]{4}-[01][0-9]-[0-3][0-9] [0-2][0-9]:[0-5][0-9]:[0-5][0-9]"
AMOUNT = r"[0-9]{1,10}\.[0-9]{2}"


def is_success(code: str) -> bool:
    """Whether a result code means that the payment was taken."""
    return _SUCCESS.match(code) is not None


def is_pending(code: str) -> bool:
    """Whether a result code means that the outcome is still to come."""
    return _PENDING.match(code) is not None


def is_review(code: str) -> bool:
    """Whether a result code means that the payment was accepted and should be reviewed."""
    return _REVIEW.match(code) is not None


def is_refusal(code: str) -> bool:
    """Whether a result code means that nothing was paid and nothing will be."""
    paid = is_success(code) or is_pending(code) or is_review(code)
    return re.fullmatch(RESULT_CODE, code) is not None and not paid
