"""TinyDB's own tables over the log: they answer as TinyDB does, at any size."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tinydb import TinyDB, where
from tinydb.operations import increment
from tinydb.storages import MemoryStorage
from tinydb.table import Document

from simulator.adapters.store.documents import TableShape, hashed, ordered
from simulator.adapters.store.log import LogStorage
from simulator.adapters.store.tables import KeyedTable, keyed_database
from simulator.tests.adapters.store.power_cut_disk import PowerCutDisk

LOG = Path("a.log")
SHAPE = TableShape("parcels", (hashed("sender", "sender"), ordered("due", "due")))


def a_table(disk: PowerCutDisk | None = None) -> KeyedTable:
    storage = LogStorage(LOG, shapes=(SHAPE,), disk=disk or PowerCutDisk())
    return keyed_database(storage).table("parcels")


def filled(count: int = 5, disk: PowerCutDisk | None = None) -> KeyedTable:
    table = a_table(disk)
    table.insert_multiple(
        Document({"sender": "Jane", "due": str(number), "n": number}, f"p{number}")
        for number in range(count)
    )
    return table


def test_a_document_is_got_by_its_id():
    table = filled()

    assert table.get(doc_id="p3") == {"sender": "Jane", "due": "3", "n": 3}
    assert table.get(doc_id="p3").doc_id == "p3"
    assert table.get(doc_id="p9") is None
    assert table.contains(doc_id="p3")
    assert not table.contains(doc_id="p9")
    assert [one.doc_id for one in table.get(doc_ids=["p4", "p9", "p1"])] == ["p4", "p1"]


def test_a_document_without_an_id_gets_one():
    table = a_table()

    identity = table.insert({"n": 1})

    assert len(identity) == 32
    assert table.get(doc_id=identity) == {"n": 1}


def test_an_id_is_inserted_once():
    table = filled()

    with pytest.raises(ValueError, match="p3 already exists"):
        table.insert(Document({"n": 0}, "p3"))
    with pytest.raises(ValueError, match="p3 already exists"):
        table.insert_multiple([Document({"n": 0}, "new"), Document({"n": 0}, "p3")])

    assert len(table) == 5


def test_queries_see_every_document():
    table = filled()

    assert [one.doc_id for one in table.search(where("n") > 2)] == ["p3", "p4"]
    assert table.count(where("sender") == "Jane") == 5
    assert table.get(where("due") == "2").doc_id == "p2"
    assert len(table.all()) == len(table) == 5


def test_changes_by_id_and_by_query():
    table = filled()

    assert table.update({"sender": "John"}, doc_ids=["p1", "p9"]) == ["p1"]
    assert table.update(increment("n"), where("n") == 4) == ["p4"]
    assert table.upsert(Document({"n": 50}, "p2")) == ["p2"]
    assert table.upsert(Document({"n": 60}, "p6")) == ["p6"]
    assert table.remove(doc_ids=["p0", "p9"]) == ["p0"]
    assert table.remove(where("n") == 3) == ["p3"]

    assert {one.doc_id: one["n"] for one in table} == {"p1": 1, "p2": 50, "p4": 5, "p6": 60}
    assert [one.doc_id for one in table.find("sender", "John")] == ["p1"]


def test_a_query_result_is_a_copy():
    table = filled()

    table.search(where("n") == 1)[0]["n"] = 100
    next(iter(table))["n"] = 100
    table.get(doc_id="p1")["n"] = 100

    assert [one["n"] for one in table.search(where("n") < 200)] == [0, 1, 2, 3, 4]


def test_indexes_find_without_a_query():
    table = filled()

    assert [one.doc_id for one in table.find("sender", "Jane")] == ["p0", "p1", "p2", "p3", "p4"]
    assert [one.doc_id for one in table.between("due", "1", "3")] == ["p1", "p2"]


def test_an_indexed_key_must_be_text_and_nothing_is_changed_otherwise():
    table = filled()

    with pytest.raises(ValueError, match="sender"):
        table.insert_multiple([Document({"n": 1}, "new"), Document({"sender": 5}, "newer")])

    assert len(table) == 5


def test_changes_are_durable_on_return():
    disk = PowerCutDisk()
    table = filled(disk=disk)
    table.update({"sender": "John"}, doc_ids=["p1"])

    found = a_table(disk.after_cut(keep_unsynced=False))

    assert found.all() == table.all()
    assert [one.doc_id for one in found.find("sender", "John")] == ["p1"]


def test_one_call_is_one_unit():
    disk = PowerCutDisk()
    filled(disk=disk)

    assert disk.content(LOG).count(b"\n") == 2, "the first line is the header"


def test_a_change_costs_only_its_own_documents():
    disk = PowerCutDisk()
    table = filled(1000, disk)
    before = disk.size(LOG)

    table.update({"sender": "John"}, doc_ids=["p1"])
    table.insert(Document({"n": 1}, "new"))
    table.remove(doc_ids=["p2"])

    assert disk.size(LOG) - before < 300


def test_tables_can_be_emptied_and_dropped():
    disk = PowerCutDisk()
    table = filled(disk=disk)
    database = keyed_database(table.storage)
    database.table("other").insert({"n": 1})
    assert database.tables() == {"parcels", "other"}

    database.drop_table("other")
    table.truncate()
    assert len(table) == 0
    assert table.find("sender", "Jane") == []
    table.insert(Document({"n": 1}, "p1"))
    database.drop_tables()

    assert database.tables() == set()
    assert len(a_table(disk)) == 0


def test_a_plain_tinydb_can_use_the_storage_too():
    disk = PowerCutDisk()
    database = TinyDB(LOG, storage=LogStorage, disk=disk)

    database.insert({"n": 1})
    database.insert({"n": 2})
    database.update({"n": 3}, where("n") == 1)

    assert TinyDB(LOG, storage=LogStorage, disk=disk).all() == [{"n": 3}, {"n": 2}]


IDENTITIES = st.sampled_from(["a", "b", "c"])
DOCUMENTS = st.fixed_dictionaries({"n": st.integers(0, 2)}, optional={"m": st.integers(0, 2)})
CALLS = st.one_of(
    st.tuples(st.just("insert"), IDENTITIES, DOCUMENTS),
    st.tuples(st.just("upsert"), IDENTITIES, DOCUMENTS),
    st.tuples(st.just("update"), IDENTITIES, DOCUMENTS),
    st.tuples(st.just("update where"), st.integers(0, 2), DOCUMENTS),
    st.tuples(st.just("remove"), IDENTITIES, st.none()),
    st.tuples(st.just("remove where"), st.integers(0, 2), st.none()),
    st.tuples(st.just("truncate"), st.none(), st.none()),
)


@settings(max_examples=100, deadline=None)
@given(calls=st.lists(CALLS, max_size=12))
def test_any_sequence_of_calls_answers_as_tinydb_does(calls):
    ours = a_table()
    theirs = TinyDB(storage=MemoryStorage).table("parcels")
    theirs.document_id_class = str

    for call in calls:
        assert outcome(ours, *call) == outcome(theirs, *call)
        assert {one.doc_id: one for one in ours} == {one.doc_id: one for one in theirs}


def outcome(table: object, name: str, which: object, document: dict | None) -> object:
    calls = {
        "insert": lambda: table.insert(Document(document, which)),
        "upsert": lambda: table.upsert(Document(document, which)),
        "update": lambda: table.update(document, doc_ids=[which]),
        "update where": lambda: sorted(table.update(document, where("n") == which)),
        "remove": lambda: table.remove(doc_ids=[which]),
        "remove where": lambda: sorted(table.remove(where("n") == which)),
        "truncate": lambda: table.truncate(),
    }
    try:
        return calls[name]()
    except ValueError as error:
        return str(error)
