"""The keys that users chose for this process: by their form they may be any text."""

import msgspec

from simulator.client.shown.known_secrets import LENGTH_MIN


class ChosenKeys:
    """Finds keys that were added, in texts and in JSON. Nearly all processes have one, or none."""

    __slots__ = ("_forms", "_keys")

    def __init__(self) -> None:
        self._keys: tuple[str, ...] = ()
        self._forms: tuple[bytes, ...] = ()

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def add(self, key: str) -> None:
        """Find this key from here on, where it is long."""
        if len(key) >= LENGTH_MIN:
            self._keys = tuple({*self._keys, key})
            self._forms = tuple({*self._forms, key.encode(), msgspec.json.encode(key)[1:-1]})

    def are_in(self, encoded: bytes) -> bool:
        """Whether one stands in a text or in JSON."""
        return bool(self._forms) and any(form in encoded for form in self._forms)

    def replaced_in(self, text: str, by: str) -> str:
        """The text without them."""
        for key in self._keys:
            text = text.replace(key, by)
        return text
