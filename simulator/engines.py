"""Which engine keeps the records, and the vault whose key seals the secrets in them."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

from simulator.adapters.access import is_there
from simulator.adapters.key_files import UnsafeKeyFileError
from simulator.adapters.sandboxes.file_engine import FileEngine
from simulator.adapters.store.commit import Durability
from simulator.adapters.store.engine import Engine, FleetAddress, UnusableDatabaseError
from simulator.adapters.store.integrity import holds_sandboxes
from simulator.adapters.vault import KeyVault, open_vault
from simulator.client.extras import missing_message
from simulator.grammar.version import __version__
from simulator.settings import Settings, SettingsError

OpenEngine = Callable[[Settings, KeyVault], Engine]
# What the key is known by in the database: a word that it seals nothing with.
KEY_MARK = "key of the records"
FLEET_MARK = "key of the fleet"


def open_engine(settings: Settings, vault: KeyVault) -> Engine:
    """What keeps the records of this server. Raises UnusableDatabaseError, DamagedLogError,
    SettingsError.
    """
    if settings.store is None:
        return FileEngine(settings.data, Durability(settings.durability))
    is_synced = settings.durability == Durability.DISK
    fleet = None
    if settings.peer_key is not None:
        fleet = FleetAddress(
            "", __version__, vault.fingerprint(f"{FLEET_MARK} {settings.peer_key}")
        )
    postgresql = _postgresql()
    engine: Engine = postgresql.PostgresEngine(
        settings.store,
        vault.fingerprint(KEY_MARK),
        is_synced=is_synced,
        fleet=fleet,
        level_max=_level_of(settings, postgresql.LEVEL),
    )
    return engine


def _level_of(settings: Settings, highest: int) -> int:
    """The level to write at, where a release has this one as the highest. Raises SettingsError."""
    if settings.write_level is None:
        return highest
    if settings.write_level > highest:
        raise SettingsError(
            f"write-level: expected at most {highest}, that of this release, got "
            f"{settings.write_level}; leave it out"
        )
    return settings.write_level


def open_vault_of(settings: Settings) -> KeyVault:
    """The vault; existing records without their key are refused. Raises UnsafeKeyFileError,
    UnusableDatabaseError.
    """
    key = settings.data / "vault.key"
    if settings.vault_key_file is not None:
        # A secret that is mounted may be behind a link.
        key = _present(settings.vault_key_file).resolve()
    elif not key.exists() and _has_records(settings):
        other = "data folder" if settings.store is None else "database"
        raise UnsafeKeyFileError(
            f"{key}: expected the key of the records that are there, got nothing. Put it back, "
            f"or start with another {other}"
        )
    return open_vault(key)


def _present(key: Path) -> Path:
    if not is_there(key):
        expected = "expected the key of the vault, got no file that this user may see"
        raise UnsafeKeyFileError(f"{key}: {expected}; name another with --vault-key-file")
    return key


def _has_records(settings: Settings) -> bool:
    if settings.store is None:
        return holds_sandboxes(settings.data)
    return _postgresql().inspect_database(settings.store) is not None


def _postgresql() -> ModuleType:
    """The engine on PostgreSQL, of the extra `postgresql`. Raises UnusableDatabaseError."""
    try:
        return import_module("simulator.adapters.postgresql.engine")
    except ImportError as error:
        raise UnusableDatabaseError(missing_message(str(error.name), "postgresql")) from error
