"""The statement descriptor: who the shopper reads as the payee."""

from collections.abc import Mapping

from simulator.domain.core.entities import Channel

DESCRIPTOR_LENGTH = 127


def descriptor_of(sent: Mapping[str, str], channel: Channel, short_id: str) -> str:
    """merchant.name, else the descriptor sent, else one made of short id and channel name
    (Choice: D-23).

    A merchant account whose descriptor is fixed ignores what was sent. Source: PAY-07, PAY-13.
    """
    made_up = f"{short_id} {channel.name}"
    if channel.descriptor_use == "fixed":
        return made_up
    return (sent.get("merchant.name") or sent.get("descriptor") or made_up)[:DESCRIPTOR_LENGTH]
