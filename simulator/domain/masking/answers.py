"""Parts of answers as the journal shows them: bank accounts, shoppers' links, proofs."""

import re

import msgspec

from simulator.domain.masking.card_numbers import SHOWN_AT_END
from simulator.domain.masking.masking import MASK, masked

ACCOUNT_MARKER = b'"bankAccount":{'
REDIRECT_MARKER, SECURE_MARKER = b"/redirect/", b"/threeDSecure/"
REDIRECT = re.compile(rb"(/(?:redirect|threeDSecure)/[0-9a-f]{32}/[0-9a-f]{32}/)[0-9a-f]{48}")


def masked_accounts(answer: bytes) -> bytes:
    """An answer in JSON without the numbers of the bank accounts in it. Choice: D-150."""
    if ACCOUNT_MARKER not in answer:
        return answer
    return msgspec.json.encode(masked(msgspec.json.decode(answer)))


def masked_redirects(answer: bytes) -> bytes:
    """An answer in JSON without what opens the redirect page of a shopper. Choice: D-135."""
    is_marked = REDIRECT_MARKER in answer or SECURE_MARKER in answer
    return REDIRECT.sub(rb"\1***", answer) if is_marked else answer


def masked_proof(value: str) -> str:
    """A proof of an authentication: enough of it to tell two apart, not enough to use it again."""
    return f"{value[:SHOWN_AT_END]}{MASK}"
