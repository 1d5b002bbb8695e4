"""Words that the steps of several nouns share."""

from simulator.client import Answer

TYPES = {
    "an authorised payment": "PA",
    "a debit": "DB",
    "a credit": "CD",
    "authorises": "PA",
    "debits": "DB",
    "credits": "CD",
    "captures": "CP",
    "refunds": "RF",
    "rebills": "RB",
    "reports": "RC",
}
MONEY = r"(?P<amount>\S+) (?P<currency>\w+)"
PAYS = rf"the merchant (?P<verb>authorises|debits|credits) {MONEY}"


def outcome_of(answer: Answer) -> tuple[int, str]:
    """Status and result code together: neither counts alone."""
    return answer.status, answer.code
