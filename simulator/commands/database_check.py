"""What `sandgate doctor` says of the database of --store, and of the fleet that shares it."""

from collections.abc import Iterator
from importlib import import_module

from simulator.adapters.store.engine import UnusableDatabaseError
from simulator.client.extras import install_command
from simulator.settings import Settings

# A member that lives stores something twice a second.
SILENT_S_MAX = 4.0


def database_findings(settings: Settings) -> Iterator[tuple[str, str, str]]:
    """What is checked, what was found, and an advice where it is wrong. Nothing is written."""
    if settings.store is None:
        return
    try:
        engine = import_module("simulator.adapters.postgresql.engine")
        row, members = engine.inspect_fleet(settings.store)
    except ImportError:
        yield "database", "psycopg is not installed", install_command("postgresql")
        return
    except UnusableDatabaseError as error:
        yield "database", str(error), "see docs/how-to/postgresql.md"
        return
    found = "empty" if row is None else f"schema {row.version}, written at level {row.level}"
    yield "database", found, ""
    for member in members:
        has = "1 sandbox" if member.sandboxes == 1 else f"{member.sandboxes} sandboxes"
        where = f"member {member.number}, release {member.version}, {has}"
        if member.silent_s > SILENT_S_MAX:
            silent = f"{where}, silent for {member.silent_s:.0f} s"
            yield "fleet", silent, "the others remove it; if there are none, start one"
        else:
            yield "fleet", f"{where}, {member.url}", ""
