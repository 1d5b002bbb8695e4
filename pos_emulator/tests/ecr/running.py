"""`sandgate terminal run` as a process, and the person in front of it, who acts by its page."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from pos_emulator.tests.web.conftest import PageClient
from simulator.client import GatewayAccess
from simulator.client.processes import python, running_server, without_settings
from simulator.client.sandbox import SandboxClient

RUN = "import sys; sys.argv[1:] = {}; from simulator.__main__ import main; main()"
T = TypeVar("T")


class Person:
    """Who stands at a running terminal: the merchant and the cardholder."""

    def __init__(self, facts: dict[str, str]) -> None:
        self.facts = facts
        self.page = PageClient(facts["page_url"], None)

    def during(self, order: Callable[[], T], act: Callable[[], Any]) -> T:
        """What an order of a till is answered, while a person acts."""
        answers: list[T] = []
        waiting = threading.Thread(target=lambda: answers.append(order()), daemon=True)
        waiting.start()
        act()
        waiting.join(60)
        assert answers, "the till is not answered"
        return answers[0]

    def dip(self, card: str = "gold", *pins: str) -> Callable[[], None]:
        """Insert a card, and type PINs as often as they are asked for."""

        def act() -> None:
            self.page.until_asked("card")
            self.page.do("card", card=card, reader="chip")
            for pin in pins:
                self.page.until_asked("pin")
                self.page.do("pin", pin=pin)

        return act

    def press_red(self) -> None:
        """Press the red key once a card is asked for."""
        self.page.until_asked("card")
        self.page.do("red-key")


@contextmanager
def switched_on(
    gateway: GatewayAccess, sandbox: SandboxClient, folder: Path, *options: str, kill: bool = False
) -> Iterator[Person]:
    """A terminal of the sandbox with its page and both interfaces of tills; `kill` cuts its power
    at the end.
    """
    environment = without_settings() | {
        "SANDGATE_URL": gateway.url,
        "SANDGATE_CONTROL_URL": gateway.control_url,
        "SANDGATE_CONTROL_API_KEY": gateway.control_key,
        "SANDGATE_SANDBOX_ID": sandbox.id,
        "SANDGATE_ENTITY_ID": sandbox.entity_id,
        "SANDGATE_TOKEN": sandbox.token,
    }
    given = ["--port", "0", "--nexo", "0", "--zvt", "0", "--ready-json", "--folder", str(folder)]
    command = python(RUN.format(["terminal", "run", *given, *options]))
    with running_server(command, environment=environment, kill=kill) as server:
        yield Person(dict(server.facts))
