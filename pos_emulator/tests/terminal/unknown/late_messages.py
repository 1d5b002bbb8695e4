"""Messages that the gateway reads later than it is asked what became of them."""

from collections.abc import Callable
from typing import Any

import pytest

from pos_emulator.terminal.gateway import LostAnswerError
from pos_emulator.tests.terminal.shop import Shop


class LateMessages:
    """Loses the answers of these methods of a gateway, and sends their messages at `arrive`."""

    def __init__(self, shop: Shop, monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
        self._waiting: list[Callable[[], Any]] = []
        for name in names:
            monkeypatch.setattr(shop.gateway, name, self._late(getattr(shop.gateway, name)))

    def arrive(self) -> None:
        for send in self._waiting:
            send()

    def _late(self, send: Callable[..., Any]) -> Callable[..., Any]:
        def lose(*sent: Any) -> None:
            self._waiting.append(lambda: send(*sent))
            raise LostAnswerError("no answer")

        return lose
