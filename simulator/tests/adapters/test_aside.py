"""Long work is done aside: the hub goes on meanwhile, and what it answers or raises comes back."""

import threading
import time
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import gevent
import pytest
from falcon import Response

from simulator.adapters.background import Threads
from simulator.catalogue.choices import CHOICES
from simulator.domain.core.background import MANY_PARAMETERS, at_once
from simulator.grammar.choices import choose
from simulator.tests.kit.twins import HandClock, SeededIds
from simulator.web.api_description import OpenApiResource, ReferenceResource
from simulator.web.http.context import Exchange

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
CHOSEN = choose(CHOICES, "specification")


def test_others_have_their_turn_while_work_is_done_aside() -> None:
    is_done = threading.Event()
    other = gevent.spawn(is_done.set)

    # Were it done in the hub's own thread, nothing could end its wait.
    assert Threads()(is_done.wait, 5)
    other.get(timeout=5)


def test_what_work_raises_is_raised() -> None:
    for aside in (Threads(), at_once):
        with pytest.raises(ZeroDivisionError):
            aside(divmod, 1, 0)
        assert aside(divmod, 7, 2) == (3, 1)


def test_only_what_is_about_many_parameters_is_done_aside() -> None:
    done: list[object] = []

    class Noting:
        def of(self, owner: str) -> Any:
            return self

        def __call__(self, work: Any, *arguments: Any) -> Any:
            done.append(arguments)
            return work(*arguments)

    exchange = Exchange(HandClock(NOON), SeededIds(1), CHOSEN, print, aside=Noting())

    assert exchange.work(MANY_PARAMETERS, divmod, 7, 2) == (3, 1)
    assert done == []
    assert exchange.work(MANY_PARAMETERS + 1, divmod, 7, 2) == (3, 1)
    exchange.give_way(MANY_PARAMETERS + 1)
    assert done == [(7, 2), ()]


def test_the_main_thread_is_not_the_one_that_works_aside() -> None:
    assert Threads()(threading.get_ident) != threading.get_ident()


def test_who_asks_for_a_document_while_it_is_made_has_the_same() -> None:
    made: list[bytes] = []

    def make() -> dict[str, Any]:
        made.append(b"")
        time.sleep(0.01)
        return {"number": len(made)}

    exchange = Exchange(HandClock(NOON), SeededIds(1), CHOSEN, print, aside=Threads())
    asking = SimpleNamespace(context=SimpleNamespace(exchange=exchange))
    described = OpenApiResource(SimpleNamespace())
    asked = [gevent.spawn(described._document, asking, ("any", CHOSEN), make) for _ in range(5)]
    gevent.joinall(asked, raise_error=True)

    assert {each.value for each in asked} == {b'{"number":1}'}


def test_the_reference_is_made_aside_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def make(choices: object) -> str:
        made.append(threading.get_ident())
        time.sleep(0.01)
        return f"page {len(made)}"

    monkeypatch.setattr("simulator.web.api_description.reference_page", make)
    exchange = Exchange(HandClock(NOON), SeededIds(1), CHOSEN, print, aside=Threads())
    asking = SimpleNamespace(context=SimpleNamespace(exchange=exchange))
    answers, resource = [Response() for _ in range(5)], ReferenceResource()
    gevent.joinall(
        [gevent.spawn(resource.on_get, asking, each) for each in answers], raise_error=True
    )

    assert {each.data for each in answers} == {b"page 1"}
    assert threading.get_ident() not in made
