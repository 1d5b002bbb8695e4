"""The tables, certificates and decisions that settings name, looked up before a start."""

import ssl

from simulator.adapters.throttle_files import table_named
from simulator.catalogue.choices import CHOICES
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.throttling.windows import ServerTables
from simulator.grammar.choices import UnknownChoiceError, choose
from simulator.settings import Settings, SettingsError


def read_throttle_tables(settings: Settings) -> ServerTables:
    """The throttle tables that the settings name; the decisions they name are checked as well.

    Raises SettingsError.
    """
    try:
        choose(CHOICES, settings.profile, settings.override)
        return ServerTables(
            throttle=table_named(settings.throttle),
            live_throttle=table_named(settings.live_throttle),
        )
    except (InvalidInputError, UnknownChoiceError) as error:
        raise SettingsError(str(error)) from error


def check_webhook_ca(settings: Settings) -> None:
    """Raise SettingsError where no CA certificates can be read from the file of `webhook-ca`."""
    if settings.webhook_ca is None:
        return
    expected = f"webhook-ca: expected a file of CA certificates, got {settings.webhook_ca}"
    try:
        ssl.create_default_context(cafile=settings.webhook_ca)
    except ssl.SSLError as error:
        raise SettingsError(f"{expected}: no certificate in PEM form can be read") from error
    except OSError as error:
        raise SettingsError(f"{expected}: {error.strerror}") from error
