"""A card for tests of its issuer: it signs as its profile says, and counts."""

from cryptography.hazmat.primitives.ciphers import Cipher, modes
from psec.pinblock import encode_pinblock_iso_0

from acquirer_mocks.issuing.chip_data import written
from acquirer_mocks.issuing.cryptograms import CardKeys, card_keys
from acquirer_mocks.issuing.triple_des import supply_triple_des, triple_des
from scenarios.terminal_cards import terminal_cards

FILE = terminal_cards()
ISSUER = FILE.issuer
ZONE_KEY = bytes.fromhex("0123456789ABCDEFFEDCBA9876543210")
SIZES = {
    "9F02": 6, "9F03": 6, "9F1A": 2, "95": 5, "5F2A": 2, "9A": 3, "9C": 1, "9F37": 4, "82": 2,
}  # fmt: skip


class SmallCard:
    """A chip of a profile; what lives on between calls is its transaction counter."""

    def __init__(self, name: str = "gold", *, sequence: str = "01", counter: int = 0):
        self.name, self.profile, self.sequence = name, FILE.cards[name], sequence
        self.counter = counter

    @property
    def keys(self) -> CardKeys:
        return card_keys(ISSUER, self.profile, self.sequence)

    def signed(self, *, amount: int = 9200, **more: str) -> dict[str, bytes]:
        """The data objects of the next payment, with its cryptogram; `more` are others, in hex."""
        supply_triple_des()
        self.counter += 1
        objects = {tag: bytes(size) for tag, size in SIZES.items()}
        objects |= {
            "9F02": bytes.fromhex(f"{amount:012d}"),
            "5F2A": bytes.fromhex("0978"),
            "9F37": self.counter.to_bytes(4, "big"),
            "9F36": self.counter.to_bytes(2, "big"),
            "9F10": bytes.fromhex(self.profile.iad),
            "9F27": b"\x80",
            **{tag: bytes.fromhex(value) for tag, value in more.items()},
        }
        return {**objects, "9F26": self._cryptogram(objects)}

    def chip(self, **more: object) -> str:
        """The same as hex TLV, as field 55 has it."""
        return written(self.signed(**more))

    def track(self, *, service_code: str | None = None) -> str:
        """Track 2 as the magstripe has it."""
        card = self.profile
        code = service_code or card.service_code
        return f"{card.number}D{card.expiry}{code}{card.discretionary.magstripe}"

    def pin_block(self, pin: str, *, key: bytes = ZONE_KEY) -> str:
        """A PIN in format 0 under a zone key, in hex."""
        clear = encode_pinblock_iso_0(pin, self.profile.number)
        sealed = Cipher(triple_des(key), modes.ECB()).encryptor().update(clear)
        return sealed.hex().upper()

    def _cryptogram(self, objects: dict[str, bytes]) -> bytes:
        version, keys = self.keys
        signed = {
            f"tag_{tag.lower()}": objects[tag]
            for tag in ("9F02", "9F03", "9F1A", "95", "5F2A", "9A", "9C", "9F37", "82", "9F36")
        }
        # By pyemv itself, which knows the parts by these names.
        names = ("tag_9f10",) if version.parts == (slice(None),) else ("cvr", "counters")
        parts = {
            name: objects["9F10"][part] for name, part in zip(names, version.parts, strict=False)
        }
        return keys.generate_ac(**signed, **parts)
