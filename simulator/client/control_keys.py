"""The control API about the keys of terminals."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from simulator.client.control_calls import ControlCalls


class TerminalKeyCalls:
    """Loads keys into terminals."""

    def __init__(self, calls: ControlCalls):
        self._calls = calls

    def certify(self, sandbox: str, terminal: str, request: str) -> Mapping[str, Any]:
        """The `certificate` for a request (PKCS#10, PEM) of a terminal, and its `authority`."""
        path = f"sandboxes/{sandbox}/terminals/{quote(terminal, safe='')}/certificate"
        return self._calls.ask("POST", path, {"request": request})

    def load(self, sandbox: str, terminal: str, certificate: str, nonce: str) -> Mapping[str, Any]:
        """New keys for a certified terminal: `kbpk` for its RSA key, `blocks`, `signature`."""
        path = f"sandboxes/{sandbox}/terminals/{quote(terminal, safe='')}/keys"
        return self._calls.ask("POST", path, {"certificate": certificate, "nonce": nonce})

    def roll_over(self, sandbox: str, terminal: str, pin: str, data: str) -> Mapping[str, Any]:
        """The next keys in `blocks`, under the update keys of those with the ids `pin`, `data`."""
        path = f"sandboxes/{sandbox}/terminals/{quote(terminal, safe='')}/rollover"
        return self._calls.ask("POST", path, {"pin": pin, "data": data})
