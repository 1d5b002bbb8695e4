"""A small issuer for tests: its cryptography is pyemv's own classes, not the card's rows."""

from collections.abc import Callable
from dataclasses import dataclass, field

from pyemv import cvn

from pos_emulator.card.profiles import CardFile, Profile, card_file
from pos_emulator.kernel.records import HostUnreachableError, OnlineRequest, OnlineResponse
from pos_emulator.keys.triple_des import supply_triple_des
from pos_emulator.tlv import build, find, parse

CLASSES = {
    10: cvn.VisaCVN10,
    16: cvn.MasterCardCVN16,
    17: cvn.MasterCardCVN17,
    18: cvn.VisaCVN18,
    20: cvn.MasterCardCVN20,
    21: cvn.MasterCardCVN21,
    22: cvn.VisaCVN22,
}
SIGNED = ("9F02", "9F03", "9F1A", "95", "5F2A", "9A", "9C", "9F37", "82", "9F36")
APPROVES = bytes.fromhex("00800000")
ATC_JUMP_MAX = 100


def cryptography_of(profile: Profile, file: CardFile | None = None):
    """The keys of one card as its issuer has them."""
    supply_triple_des()
    keys = (file or card_file()).issuer.master_keys
    return CLASSES[profile.cvn](
        bytes.fromhex(keys.ac), bytes.fromhex(keys.smi), bytes.fromhex(keys.smc),
        profile.number, profile.sequence,
    )  # fmt: skip


def expected_cryptogram(profile: Profile, values: dict[str, bytes]) -> bytes:
    """The cryptogram that a card of this profile makes over these values."""
    data = values["9F10"]
    parts = {f"tag_{tag.lower()}": values[tag] for tag in SIGNED}
    if profile.cvn in (18, 22):
        parts["tag_9f10"] = data
    elif profile.cvn == 10:
        parts["cvr"] = data[3:7]
    else:
        parts["cvr"] = data[2:8]
    if profile.cvn in (17, 21):
        parts["counters"] = data[10:18]
    return cryptography_of(profile).generate_ac(**parts)


@dataclass
class TestIssuer:
    """Answers as a host: verifies cryptogram, counter and PIN, then approves, unless it is `away`.

    `code` declines everything; `scripts` makes the issuer's commands from request and keys;
    `genuine` False answers with a false cryptogram.
    """

    __test__ = False
    profile: Profile
    code: str | None = None
    away: bool = False
    genuine: bool = True
    scripts: Callable[..., bytes] | None = None
    pin_tries: int = 3
    last_atc: int = 0
    requests: list[OnlineRequest] = field(default_factory=list)

    def __call__(self, request: OnlineRequest) -> OnlineResponse:
        self.requests.append(request)
        if self.away:
            raise HostUnreachableError("no answer")
        values = {node.tag: node.value for node in parse(request.icc_data)}
        if "9F26" not in values:
            return OnlineResponse(self.code or self._pin_code(request) or "00")
        code = self._code(request, values)
        return OnlineResponse(
            code,
            self._answer(values, code),
            self.scripts(self, values) if self.scripts else b"",
            authorization="123456" if code == "00" else "",
        )

    def _code(self, request: OnlineRequest, values: dict[str, bytes]) -> str:
        counter = int.from_bytes(values["9F36"], "big")
        is_fresh = self.last_atc < counter <= self.last_atc + ATC_JUMP_MAX
        if any(tag not in values for tag in (*SIGNED, "9F10")):
            return "05"
        if not is_fresh or values["9F26"] != expected_cryptogram(self.profile, values):
            return "05"
        self.last_atc = counter
        return self.code or self._pin_code(request) or "00"

    def _pin_code(self, request: OnlineRequest) -> str | None:
        if request.pin is None:
            return None
        if self.pin_tries == 0:
            return "75"
        if request.pin == f"online:{self.profile.pin}".encode():
            self.pin_tries = 3
            return None
        self.pin_tries -= 1
        return "55" if self.pin_tries else "75"

    def _answer(self, values: dict[str, bytes], code: str) -> bytes:
        keys, request, counter = cryptography_of(self.profile), values["9F26"], values["9F36"]
        if self.profile.cvn in (18, 22):
            update = APPROVES if code == "00" else bytes(4)
            answer = keys.generate_arpc(request, counter, update) + update
        elif self.profile.cvn in (20, 21):
            answer = keys.generate_arpc(request, counter, code.encode()) + code.encode()
        else:
            answer = keys.generate_arpc(request, code.encode()) + code.encode()
        return answer if self.genuine else bytes(4) + answer[4:]


def script(header: str, data: bytes = b"") -> Callable[..., bytes]:
    """Makes a script 72 with one command of this header (without its length) and plain data."""

    def make(issuer: TestIssuer, values: dict[str, bytes]) -> bytes:
        keys = cryptography_of(issuer.profile)
        start = bytes.fromhex(header) + bytes([len(data) + 8])
        mac = keys.generate_command_mac(start, values["9F26"], values["9F36"], data)
        return build(("72", build(("9F18", b"\x00\x00\x00\x01"), ("86", start + data + mac))))

    return make


def account_number(request: OnlineRequest) -> str:
    """The number in what is enciphered for the gateway."""
    return (find(parse(request.account), "5A") or b"").hex()
