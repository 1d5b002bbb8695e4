"""A merchant API that carries out what it is asked for, and answers something else."""

from collections.abc import Mapping
from typing import Any

from pos_emulator.tests.terminal.shop import Shop
from simulator.client.wire import Answer


def said(status: int, code: str, **more: Any) -> Answer:
    """An answer with a result and no payment."""
    return Answer(status, {}, {"result": {"code": code, "description": "undefined"}, **more})


class ReplacedAnswers:
    """Stands in place of the client of a shop's gateway. The next `posts` and `gets` are carried
    out and answered by these; what follows is answered as it is.
    """

    def __init__(self, shop: Shop) -> None:
        self._client: Any = shop.gateway._client
        self.posts: list[Answer] = []
        self.gets: list[Answer] = []
        shop.gateway._client = self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def post(self, path: str, parameters: Mapping[str, str]) -> Answer:
        answer: Answer = self._client.post(path, parameters)
        return self.posts.pop(0) if self.posts else answer

    def get(self, path: str, parameters: Mapping[str, str]) -> Answer:
        answer: Answer = self._client.get(path, parameters)
        return self.gets.pop(0) if self.gets else answer
