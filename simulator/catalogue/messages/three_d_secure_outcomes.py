"""3-D Secure 2: which result code each end of an authentication has.

Source: public facts 8 and 9, result codes; the reasons are those of the EMV 3DS core protocol.
Choices: D-193, D-195.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Ended(NamedTuple):
    """The result code of a payment that ends so, and of an authentication alone."""

    payment: str
    alone: str


# fmt: off
# Where the messages do not come to a status.
NO_RANGE =       Ended("100.390.109", "000.400.109")
NO_SETUP =       Ended("100.390.106", "000.400.104")
NO_VERSION =     Ended("100.390.116", "000.400.113")
UNREACHABLE =    Ended("100.390.111", "000.400.107")
WRONG_MESSAGE =  Ended("100.390.115", "000.400.103")
WRONG_DATA =     Ended("100.390.117", "100.390.117")
TECHNICAL =      Ended("100.390.112", "000.400.103")
CANCELLED =      Ended("100.390.124", "100.390.124")
STAYED_AWAY =    Ended("100.390.124", "100.390.124")

ANY = ""
# transStatus and transStatusReason; the row of ANY reason is for all that have none of their own.
ENDS: Mapping[tuple[str, str], Ended] = {
    #  status reason        payment        alone
    ("N", ANY):  Ended("100.380.401", "100.380.401"),
    ("N", "02"): Ended("100.390.113", "000.400.105"),
    ("N", "03"): Ended("100.390.113", "000.400.105"),
    ("N", "04"): Ended("100.390.119", "100.390.119"),
    ("N", "06"): Ended("100.390.110", "000.400.108"),
    ("N", "08"): Ended("100.390.110", "000.400.108"),
    ("N", "11"): Ended("100.390.118", "100.390.118"),
    ("N", "13"): Ended("100.390.109", "000.400.102"),
    ("N", "14"): STAYED_AWAY,
    ("N", "16"): TECHNICAL,
    ("N", "19"): Ended("100.380.401", "100.380.401"),
    ("N", "20"): Ended("100.390.120", "100.390.120"),
    ("N", "21"): Ended("100.390.121", "000.400.112"),
    ("N", "22"): TECHNICAL,
    ("R", ANY):  Ended("100.390.114", "100.390.114"),
    ("R", "04"): Ended("100.390.119", "100.390.119"),
    ("R", "11"): Ended("100.390.118", "100.390.118"),
    ("U", ANY):  TECHNICAL,
    ("U", "02"): Ended("100.390.113", "000.400.105"),
    ("U", "03"): Ended("100.390.113", "000.400.105"),
    ("U", "13"): Ended("100.390.107", "000.400.101"),
    # Data were taken, the shopper was not authenticated: enough for itself, not for a payment.
    ("I", ANY):  Ended("100.390.107", "000.400.120"),
}
# fmt: on

AUTHENTICATED = frozenset({"Y", "A"})
# Success of an authentication alone: without a challenge; after one it is that of the host.
FRICTIONLESS = "000.400.110"

# What an exemption asks of the ACS, where no challengeIndicator says it: no challenge, as the
# risk was judged (05) or the shopper trusts the merchant (08).
EXEMPTED: Mapping[str, str] = {"01": "02", "02": "05", "03": "08", "04": "02"}


def end_of_status(status: str, reason: str) -> Ended:
    """The codes of a status without an authentication."""
    return ENDS.get((status, reason)) or ENDS.get((status, ANY), TECHNICAL)
