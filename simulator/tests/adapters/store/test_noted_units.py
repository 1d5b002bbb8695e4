"""Units stored without a wait are seen at once, and durable no later than the units after them."""

from pathlib import Path

import pytest

from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.errors import ConflictError
from simulator.domain.core.ports import Unit
from simulator.tests.adapters.store.memory_store import MemoryStore
from simulator.tests.adapters.webhooks.parcels import KINDS, Parcel, a_parcel


@pytest.mark.parametrize("engine", ["dicts", "log"])
def test_a_noted_unit_is_seen_at_once_and_judged_as_any_other(engine: str, tmp_path: Path) -> None:
    stores = {"dicts": MemoryStore(KINDS), "log": DocumentStore(tmp_path / "a.log", kinds=KINDS)}
    store = stores[engine]
    store.commit_unflushed(Unit(puts=(a_parcel("a"),)))
    assert store.get(Parcel, "a") == a_parcel("a")
    with pytest.raises(ConflictError):
        store.commit_unflushed(Unit(puts=(a_parcel("a"),)))
    stores["log"].close()


def test_a_noted_unit_is_durable_with_the_next_that_is_saved(tmp_path: Path) -> None:
    store = DocumentStore(tmp_path / "a.log", kinds=KINDS)
    store.commit_unflushed(Unit(puts=(a_parcel("a"),)))
    store.commit(Unit(puts=(a_parcel("b"),)))
    (tmp_path / "cut.log").write_bytes((tmp_path / "a.log").read_bytes())
    after = DocumentStore(tmp_path / "cut.log", kinds=KINDS)
    assert after.get(Parcel, "a") == a_parcel("a")
    store.close()
    after.close()
