"""The six models of terminals, by what EMV asks of them.

Terminal type: 2x is operated by a merchant, 1 attended and online, 2 attended and offline too,
5 unattended and offline too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pos_emulator.bits import Capability, Ttq, word_of
from pos_emulator.card.profiles import CardFile, card_file
from pos_emulator.card.rsa import EXPONENT, key_of
from pos_emulator.kernel.records import AcceptedApplication, KernelTerminal, TapLimits
from pos_emulator.keys.offline_rsa import PublicKey

CHIP, TAP, MAGSTRIPE, MANUAL = "chip", "tap", "magstripe", "manual"
AUTHENTICATION = (Capability.SDA, Capability.DDA, Capability.CDA)
PINS = (
    Capability.PLAIN_OFFLINE_PIN, Capability.ENCIPHERED_OFFLINE_PIN, Capability.ONLINE_PIN,
)  # fmt: skip
MAKER = "SANDGATE_"
INPUTS: Mapping[str, Capability] = {
    MANUAL: Capability.MANUAL_ENTRY,
    MAGSTRIPE: Capability.MAGSTRIPE,
    CHIP: Capability.CONTACT_CHIP,
}


@dataclass(frozen=True)
class Model:
    """A row: terminal type, readers, whether a person can sign, whether it has a printer and GPS,
    and whether its keys stand on its screen.
    """

    name: str
    terminal_type: int
    reads: tuple[str, ...]
    signs: bool
    prints: bool
    tap: TapLimits = TapLimits()
    locates: bool = False
    touches: bool = False


# fmt: off
MODELS: Mapping[str, Model] = {row.name: row for row in (
    #     name           type  readers                      signs  prints
    Model("COUNTERTOP",  0x22, (CHIP, TAP, MAGSTRIPE, MANUAL), True,  True),
    Model("PORTABLE",    0x22, (CHIP, TAP, MAGSTRIPE, MANUAL), True,  True, locates=True),
    Model("MOBILE",      0x21, (CHIP, TAP),                 True,  False, touches=True),
    Model("PINPAD",      0x21, (CHIP, TAP, MAGSTRIPE, MANUAL), True,  False),
    Model("INTEGRATED",  0x22, (CHIP, TAP, MAGSTRIPE, MANUAL), True,  False),
    Model("UNATTENDED",  0x25, (CHIP, TAP, MAGSTRIPE),         False, True,
          TapLimits(cvm=25_00, most=150_00)),
)}
VERSIONS: Mapping[str, str] = {"A000000003": "0096", "A000000004": "0002"}
# fmt: on


def short_name(name: str) -> str:
    """The name of a model as it stands in a row, of one that may begin with that of the maker."""
    return name.removeprefix(MAKER)


def capabilities_of(model: Model) -> bytes:
    """Terminal capabilities (9F33)."""
    methods = [*PINS, Capability.NO_CVM]
    if model.signs:
        methods.append(Capability.SIGNATURE)
    inputs = [INPUTS[name] for name in model.reads if name in INPUTS]
    return word_of(3, *inputs, *methods, *AUTHENTICATION)


def qualifiers_of(model: Model) -> bytes:
    """Terminal transaction qualifiers (9F66) before an amount is known."""
    bits = [
        Ttq.EMV_MODE_SUPPORTED, Ttq.EMV_CONTACT_SUPPORTED, Ttq.ONLINE_PIN_SUPPORTED,
        Ttq.ON_DEVICE_VERIFICATION_SUPPORTED,
    ]  # fmt: skip
    if model.signs:
        bits.append(Ttq.SIGNATURE_SUPPORTED)
    return word_of(4, *bits)


def terminal_of(
    name: str,
    *,
    terminal_id: str,
    country: str = "0276",
    applications: Sequence[AcceptedApplication] | None = None,
    file: CardFile | None = None,
) -> KernelTerminal:
    """A terminal of this model that trusts the authorities of the cards. Raises KeyError."""
    model = MODELS[name]
    file = file or card_file()
    accepted = applications or [
        AcceptedApplication(
            bytes.fromhex(authority.rid),
            version=bytes.fromhex(VERSIONS.get(authority.rid, "0001")),
            tap=model.tap,
        )
        for authority in file.authorities
    ]
    return KernelTerminal(
        model=name,
        terminal_type=bytes([model.terminal_type]),
        capabilities=capabilities_of(model),
        additional_capabilities=bytes.fromhex("6000F0A001"),
        qualifiers=qualifiers_of(model),
        country=bytes.fromhex(country),
        terminal_id=terminal_id,
        serial_number=terminal_id,
        applications=tuple(accepted),
        authorities=authorities_of(file),
        reads=frozenset(model.reads),
    )


def authorities_of(file: CardFile) -> Mapping[tuple[bytes, int], PublicKey]:
    """The public keys of the authorities, by RID and index."""
    return {
        (bytes.fromhex(row.rid), int(row.index, 16)): PublicKey(
            key_of(row.p, row.q).modulus_bytes, bytes([EXPONENT])
        )
        for row in file.authorities
    }
