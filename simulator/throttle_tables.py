"""The throttle tables and decisions that settings name, looked up before a start."""

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
