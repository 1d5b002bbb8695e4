"""The response code an acquirer itself would have sent, for each result code that came from one.

Two characters as in the response code field of card messages. Codes that no acquirer takes part in
(formats, references, risk) have none. Source: our own, after common use; Choice: D-64.
"""

from collections.abc import Mapping

from simulator.catalogue.messages.card_responses import IN_PROGRESS
from simulator.catalogue.results import RESULTS, class_of
from simulator.domain.core.records import Outcome
from simulator.grammar.results import DEFERRALS

# fmt: off
RESPONSES: Mapping[str, str] = {
    # result code   response
    "300.100.100":  "65",
    "800.100.100":  "05",
    "800.100.150":  "57",
    "800.100.151":  "14",
    "800.100.152":  "05",
    "800.100.153":  "82",
    "800.100.154":  "12",
    "800.100.155":  "51",
    "800.100.156":  "30",
    "800.100.157":  "54",
    "800.100.158":  "59",
    "800.100.159":  "43",
    "800.100.160":  "62",
    "800.100.161":  "75",
    "800.100.162":  "61",
    "800.100.163":  "65",
    "800.100.164":  "61",
    "800.100.165":  "41",
    "800.100.166":  "55",
    "800.100.167":  "25",
    "800.100.168":  "62",
    "800.100.169":  "57",
    "800.100.170":  "57",
    "800.100.171":  "04",
    "800.100.172":  "62",
    "800.100.173":  "12",
    "800.100.174":  "13",
    "800.100.175":  "12",
    "800.100.176":  "91",
    "800.100.177":  "13",
    "800.100.178":  "75",
    "800.100.179":  "65",
    "800.100.180":  "57",
    "800.100.181":  "62",
    "800.100.182":  "01",
    "800.100.183":  "05",
    "800.100.192":  "82",
    "800.100.200":  "01",
    "800.100.201":  "14",
    "800.100.202":  "46",
    "800.100.203":  "51",
    "800.100.208":  "57",
    "800.100.209":  "01",
    "800.100.500":  "R0",
    "800.100.501":  "R1",
    "800.400.100":  "05",
    "900.100.400":  "68",
    "900.100.500":  "68",
    "900.100.600":  "91",
}
# fmt: on

APPROVED = "00"
DECLINED_WITHOUT_ANSWER = "05"

# Time-outs, which the gateway notices itself.
UNANSWERED = frozenset({"900.100.300", "900.100.301"})
# A result code without a row of its own is answered by its group's row; other groups have none.
RESPONSES_BY_GROUP: Mapping[str, str] = {
    "success": APPROVED,
    "success_manual_review": APPROVED,
    "rejected_bank_or_external": "05",
    "avs_address": "05",
    "communication_error": "96",
}


def response_of(code: str, group: str) -> str | None:
    """The acquirer's own response code behind a result code, or None where no acquirer answered."""
    if code in UNANSWERED:
        return None
    return RESPONSES.get(code) or RESPONSES_BY_GROUP.get(group)


def answered_response(outcome: Outcome) -> str:
    """The response code of an outcome: the one it names, else one that means no more than it."""
    if class_of(outcome.code) in DEFERRALS:
        return IN_PROGRESS
    named = outcome.details.get("AcquirerResponse")
    found = response_of(outcome.code, RESULTS[outcome.code].group)
    if named is not None and len(named) == 2 and named.isascii() and named.isalnum():
        return named if (named == APPROVED) == (found == APPROVED) else found or named
    return found or DECLINED_WITHOUT_ANSWER
