"""Values of the options of `sandgate check-merchant`. An invalid one raises OptionValueError."""

import ipaddress
import re
import shlex
import socket
import ssl
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from features.merchant_side.checks.table import CHECKS, MerchantCheck
from features.merchant_side.webhook_encryption import WebhookFormat
from simulator.client.shown.known_secrets import hide_from_now_on

KEY = re.compile(r"[0-9A-Fa-f]{64}")
PORT = re.compile(r"[0-9]{1,5}")
KEY_FILE_BYTES_MAX = 64 * 1024
DAY_S = 86400.0
PORT_MAX = 65535


class OptionValueError(ValueError):
    """An invalid option: its name, what was expected and what came."""

    def __init__(self, option: str, message: str):
        super().__init__(message)
        self.option = option


def read_key(digits: str | None, file: Path | None) -> bytes:
    """The 32 bytes of the key. It is named in no message. Raises Usage."""
    if digits and file:
        expected = "expected it, or --key or SANDGATE_WEBHOOK_SECRET"
        raise OptionValueError("--key-file", f"{expected}, got both")
    if file is not None:
        digits = _text_of(file).strip()
        hide_from_now_on([digits])
    if not digits:
        raise OptionValueError(
            "--key", "expected the key that the receiver has, here, in SANDGATE_WEBHOOK_SECRET or "
            "in --key-file; got none",
        )  # fmt: skip
    if not KEY.fullmatch(digits):
        raise OptionValueError("--key", f"expected 64 hex digits, got {len(digits)} characters")
    return bytes.fromhex(digits)


def _text_of(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            content = opened.read(KEY_FILE_BYTES_MAX + 1)
        if len(content) > KEY_FILE_BYTES_MAX:
            raise OptionValueError(
                "--key-file", "expected a file with 64 hex digits, got more than 64 KiB"
            )
        return content.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise OptionValueError("--key-file", f"expected a file to read, got: {reason}") from None


def demand_own_hosts(addresses: Mapping[str, str | None], allowed: Sequence[str]) -> None:
    """Raises Usage unless each address (by option) is on this machine, or on a host of `allowed`.

    Malformed requests are sent on purpose, so the owner has to allow the host. Choice: D-230.
    """
    for option, url in addresses.items():
        if url is not None:
            _demand_own(option, url, allowed)


def _demand_own(option: str, url: str, allowed: Sequence[str]) -> None:
    parts = _parts_of(url)
    if parts is None or not parts.hostname:
        got = "none" if not url else "another"
        raise OptionValueError(
            option, f"expected an address such as http://127.0.0.1:3000/, got {got}"
        )
    if parts.username or parts.password:
        raise OptionValueError(
            option, "expected an address without user and password, got one with them"
        )
    if parts.hostname in allowed or _is_loopback(parts.hostname):
        return
    raise OptionValueError(
        option,
        f"expected this machine, got {parts.hostname}. What is sent is malformed on purpose: if "
        f"that host is yours to test, say so by --allow-remote {parts.hostname}",
    )


def _parts_of(url: str) -> SplitResult | None:
    """The parts of an address that can be asked; None for what is none."""
    try:
        parts = urlsplit(url)
        # Labels that are empty or too long cannot be looked up, other notifications not be sent.
        # UnicodeError is a ValueError, as are open brackets and a port that is no number.
        (parts.hostname or "").encode("idna")
        (parts.path + parts.query).encode("ascii")
        is_one = parts.scheme in ("http", "https") and parts.port != 0
    except ValueError:
        return None
    return parts if is_one else None


def _is_loopback(host: str) -> bool:
    """Whether every address of a host is one of this machine."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return False
    return all(ipaddress.ip_address(str(each[4][0])).is_loopback for each in found)


def forms_of(names: Sequence[str]) -> list[WebhookFormat]:
    """The forms in which notifications travel; the first is that of all checks. Raises Usage."""
    known: dict[str, WebhookFormat] = {"hex": "hex", "wrapped": "wrapped"}
    for name in names:
        if name not in known:
            raise OptionValueError("--body-format", f"expected {' or '.join(known)}, got {name!r}")
    return list(dict.fromkeys(known[name] for name in names)) or ["hex"]


def select_checks(only: Sequence[str]) -> list[MerchantCheck]:
    """The checks whose id, or whose group, is among `only`; all where it is empty. Raises Usage."""
    for name in only:
        _demand_known(name)
    return [check for check in CHECKS if not only or check.id in only or check.group in only]


def _demand_known(name: str) -> None:
    known = [*dict.fromkeys(check.group for check in CHECKS), *(check.id for check in CHECKS)]
    if name not in known:
        near = get_close_matches(name, known, n=1) or [", ".join(known[:6])]
        raise OptionValueError(
            "--only", f"expected a check or a group, such as {near[0]}; got {name!r}"
        )


def state_command_of(command: str | None, state_url: str | None) -> list[str]:
    """The words of --state-command. Raises Usage where there is another way to be wrapper too."""
    if state_url is not None and command is not None:
        raise OptionValueError("--state-command", "expected it or --state-url, got both")
    return words_of("--state-command", command)


def words_of(option: str, command: str | None) -> list[str]:
    """A command as a shell reads it, without running one. Raises Usage."""
    try:
        return shlex.split(command or "")
    except ValueError as error:
        raise OptionValueError(option, f"expected a command, got: {error}") from None


def demand_durations(seconds: Mapping[str, float]) -> None:
    """Raises OptionValueError where a time (by option) is no number, or too long."""
    for option, value in seconds.items():
        if not 0 <= value <= DAY_S:
            raise OptionValueError(option, f"expected seconds from 0 to {DAY_S:g}, got {value}")


def address_of(text: str) -> tuple[str, int]:
    """The host and the port of `127.0.0.1:18090` or `[::1]:18090`. Raises Usage."""
    host, _, port = text.rpartition(":")
    if not host or not PORT.fullmatch(port) or int(port) > PORT_MAX:
        raise OptionValueError(
            "--listen", f"expected HOST:PORT such as 127.0.0.1:18090, got {text!r}"
        )
    return host.strip("[]"), int(port)


def tls_context_of(ca_file: Path | None) -> ssl.SSLContext:
    """Who may have signed the certificates of the merchant. Raises Usage."""
    try:
        return ssl.create_default_context(cafile=ca_file)
    except OSError as error:
        raise OptionValueError("--ca-file", f"expected certificates as PEM, got: {error}") from None


def as_shown(url: str) -> str:
    """An address without its query: a secret may stand there."""
    return urlsplit(url)._replace(query="", fragment="").geturl()
