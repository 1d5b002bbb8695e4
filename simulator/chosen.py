"""What settings name and other rooms know: decisions and throttle tables, looked up before a
start.
"""

from simulator.adapters.throttle_files import table_named
from simulator.catalogue.choices import CHOICES
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.throttling.windows import ServerTables
from simulator.grammar.choices import UnknownChoiceError, choose
from simulator.settings import Settings, SettingsError


def tables_of(settings: Settings) -> ServerTables:
    """The throttle tables that the settings name, once the decisions they name are known as well.

    Raises SettingsError that says what was expected.
    """
    try:
        choose(CHOICES, settings.profile, settings.override)
        return ServerTables(
            throttle=table_named(settings.throttle),
            live_throttle=table_named(settings.live_throttle),
        )
    except (InvalidInputError, UnknownChoiceError) as error:
        raise SettingsError(str(error)) from error
