"""After every sequence of changes, what is read back from the log of a store is what was there."""

from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.errors import ConflictError
from simulator.domain.core.ports import Unit
from simulator.tests.adapters.store.memory_store import MemoryStore
from simulator.tests.adapters.store.power_cut_disk import PowerCutDisk
from simulator.tests.adapters.webhooks.parcels import KINDS, Parcel, Receipt, a_parcel, seconds

LOG = Path("a.log")
KEYS = ("", "x", "x y", 'q"\\\n', "\N{SNOWMAN}")
IDENTITIES = st.sampled_from(("a", "b", "c", 'q"\\', "\N{SNOWMAN}"))

FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "sender": st.sampled_from(KEYS),
        "due": st.sampled_from(KEYS),
        "hold": st.dictionaries(st.sampled_from(KEYS), st.sampled_from(KEYS), max_size=2),
        "labels": st.dictionaries(st.just("reference"), st.sampled_from(KEYS)),
        "made_at": st.sampled_from([seconds(count) for count in (0, 0.25, 1, 60)]),
    },
)
RECORDS = st.lists(st.tuples(IDENTITIES, st.integers(1, 4), FIELDS), max_size=4)


class Twins(RuleBasedStateMachine):
    """A store on a log and one in dicts, treated alike."""

    def __init__(self) -> None:
        super().__init__()
        self.disk = PowerCutDisk()
        self.store = DocumentStore(LOG, kinds=KINDS, disk=self.disk)
        self.model = MemoryStore(KINDS)

    @rule(records=RECORDS, removed=st.lists(IDENTITIES, max_size=2))
    def save(self, records: list, removed: list) -> None:
        """The same unit, with versions that fit or do not."""
        puts = tuple(a_parcel(one, version, **fields) for one, version, fields in records)
        held = (self.model.get(Parcel, identity) for identity in removed)
        unit = Unit(puts=puts, removes=tuple(one for one in held if one is not None))

        assert conflicts(self.store, unit) == conflicts(self.model, unit)

    @rule(identity=IDENTITIES, fields=FIELDS)
    def change(self, identity: str, fields: dict) -> None:
        """The next version of a record, with a receipt."""
        held = self.model.get(Parcel, identity)
        receipts = len(self.model.find(Receipt, "parcel", identity))
        receipt = Receipt(id=f"{identity}{receipts}", version=1, parcel=identity)
        unit = Unit(puts=(a_parcel(identity, held.version + 1 if held else 1, **fields), receipt))

        assert conflicts(self.store, unit) == conflicts(self.model, unit)

    @rule()
    def sleep(self) -> None:
        """Forget everything and read it from the log."""
        assert self.store.sleep()

    @rule()
    def compact(self) -> None:
        """Write the log anew."""
        assert self.store.compact() is True

    @rule()
    def lose_power(self) -> None:
        """Go on with what the disk holds after a power cut."""
        self.disk = self.disk.after_cut()
        self.store = DocumentStore(LOG, kinds=KINDS, disk=self.disk)

    @invariant()
    def both_hold_the_same(self) -> None:
        """Every record, under every index."""
        for key in KEYS:
            for index in ("sender", "reference"):
                assert self.store.find(Parcel, index, key) == self.model.find(Parcel, index, key)
        assert self.store.find(Parcel, "held", "yes") == self.model.find(Parcel, "held", "yes")
        for index in ("due", "made"):
            assert list(self.store.between(Parcel, index, "", "~")) == list(
                self.model.between(Parcel, index, "", "~")
            )


def conflicts(store: DocumentStore | MemoryStore, unit: Unit) -> bool:
    try:
        store.commit(unit)
    except ConflictError:
        return True
    return False


TestTwins = Twins.TestCase
TestTwins.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
