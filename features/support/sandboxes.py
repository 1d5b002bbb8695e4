"""The merchants of a target: its own, and those of sandboxes that are opened there."""

from collections.abc import Callable, Mapping
from typing import Any

from features.spec.companions import Sent
from features.support.merchant import Merchant
from features.target.records import PROFILES, Target
from simulator.client import Client, Control

SPECIFICATION, FIELD = PROFILES
OpenShops = Callable[..., list[Merchant]]
# Opens a channel with these settings; its name is the one that a target file calls it by.
OpenChannel = Callable[[str, Mapping[str, object]], Merchant]
# The key under which a sandbox notifies the suite's receiver.
SECRET = "00112233445566778899aabbccddeeff" * 2


def new_sandbox(control: Control, **options: Any) -> Mapping[str, Any]:
    """A fresh sandbox in the specification's own profile, whatever the server's default is."""
    return control.create_sandbox(**{"profile": SPECIFICATION, **options})


def has_field_merchant(target: Target) -> bool:
    """Whether a scenario about expectations of existing clients has a merchant to run with."""
    return target.profile == FIELD or "control" in target.offers or FIELD in target.entities


def own_merchant(client: Client, target: Target) -> Merchant:
    """The merchant whose credentials the target file holds."""
    channels = {name: entity.entity_id for name, entity in target.entities.items()}
    return Merchant(client, channels=channels, live_token=target.live_token, card=target.card)


def merchants_of(client: Client, sandbox: Mapping[str, Any], card: Sent) -> list[Merchant]:
    """Every merchant of a sandbox, each on the first of its channels."""
    return [
        Merchant(
            client.with_credentials(entry["token"], entry["channels"][0]["id"]),
            sandbox["id"],
            {channel["name"]: channel["id"] for channel in entry["channels"]},
            live_token=entry.get("live_token", ""),
            entity=entry["id"],
            card=card,
        )
        for entry in sandbox["entities"]["merchants"]
    ]
