"""Steps about the setup of a merchant: its channels and merchant accounts."""

from collections.abc import Mapping

from pytest_bdd import given, parsers

from features.support.merchant import Merchant
from features.support.sandboxes import OpenShops

SETUPS: Mapping[str, Mapping[str, object]] = {
    "whose channel detects no brands": {"brand_detection": False},
    "whose channel requires the security code": {"cvv": "required"},
    "whose channel requires a merchant reference": {"requires_merchant_transaction_id": True},
    "whose channel leaves chargebacks to the platform": {"chargebacks": False},
    "whose channel requires 3-D Secure version 2": {"three_d_secure": {"VISA": "2.2.0"}},
    "whose channel requires 3-D Secure of every scheme": {
        "three_d_secure": dict.fromkeys(("VISA", "MASTER", "MAESTRO", "AMEX", "DISCOVER"), "2.2.0")
    },
    "whose channel requires 3-D Secure version 1": {"three_d_secure": {"VISA": "1.0.2"}},
    "whose channel accepts references of any gateway": {"agreements": "any"},
    "whose channel requires the reference of a series": {"agreements": "required"},
    "whose merchant account has a fixed descriptor": {"descriptor_use": "fixed"},
}


@given(parsers.re(f"a merchant (?P<setup>{'|'.join(SETUPS)})"), target_fixture="merchant")
def open_merchant(open_shops: OpenShops, setup: str) -> Merchant:
    channel = {"name": "web", **SETUPS[setup]}
    return open_shops(merchants=[{"name": "Jones Books", "channels": [channel]}])[0]


@given(
    parsers.re(r"a merchant with the channels (?P<first>\w+) and (?P<second>\w+)"),
    target_fixture="merchant",
)
def open_merchant_with_channels(open_shops: OpenShops, first: str, second: str) -> Merchant:
    channels = [{"name": first}, {"name": second}]
    return open_shops(merchants=[{"name": "Jones Books", "channels": channels}])[0]
