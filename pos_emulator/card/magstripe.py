"""The magstripe of a card: tracks 1 and 2 as a swipe reads them. Source: ISO/IEC 7813."""

from dataclasses import dataclass, field

from pos_emulator.card.profiles import Profile

CHIP_SERVICES = ("2", "6")


@dataclass(frozen=True)
class Magstripe:
    """Both tracks with their sentinels."""

    track1: str = field(repr=False)
    track2: str = field(repr=False)

    @property
    def account(self) -> str:
        return self.track2[1:].split("=")[0]

    @property
    def expiry(self) -> str:
        """YYMM."""
        return self.track2.split("=")[1][:4]

    @property
    def service_code(self) -> str:
        return self.track2.split("=")[1][4:7]

    @property
    def has_chip(self) -> bool:
        """Whether the service code says that the card has a chip to be used."""
        return self.service_code[0] in CHIP_SERVICES

    @property
    def track2_data(self) -> bytes:
        """Track 2 as tag 57 holds it: digits, D for the separator, filled with F."""
        digits = self.track2.strip(";?").replace("=", "D")
        return bytes.fromhex(digits + "F" * (len(digits) % 2))


def magstripe_of(profile: Profile) -> Magstripe | None:
    """The magstripe of a card; None if it has none."""
    if "magstripe" not in profile.interfaces:
        return None
    tail = f"{profile.expiry}{profile.service_code}{profile.discretionary.magstripe}"
    return Magstripe(
        track1=f"%B{profile.number}^{profile.holder}^{tail}?",
        track2=f";{profile.number}={tail}?",
    )
