"""Where a terminal is, by its GPS receiver; the model PORTABLE has one. Choice: D-615."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

# As far as pos.location takes it. Source: specification, POS terminal.
NUMBER = re.compile(r"[+-]?[0-9]{1,3}(\.[0-9]{1,8})?")
ACCURACY = re.compile(r"[0-9]{1,6}")
LATITUDE_MAX, LONGITUDE_MAX = 90, 180
EXPECTED = (
    "position: expected latitude and longitude in degrees with at most 8 decimals, such as "
    "52.520008,13.404954, and if you like the accuracy in meters behind another comma"
)


class PositionError(ValueError):
    """A text that is no position, or a terminal without GPS; the message says what was expected."""


@dataclass(frozen=True, kw_only=True)
class Position:
    """Degrees, north and east above zero; `accuracy` in meters, None where it is not known."""

    latitude: Decimal
    longitude: Decimal
    accuracy: int | None = None

    def __str__(self) -> str:
        """As `position_in` reads it."""
        known = "" if self.accuracy is None else f",{self.accuracy}"
        return f"{_degrees(self.latitude)},{_degrees(self.longitude)}{known}"

    def parameters(self) -> Mapping[str, str]:
        """The parameters of a payment that was made here."""
        sent = {
            "pos.location.latitude": _degrees(self.latitude),
            "pos.location.longitude": _degrees(self.longitude),
        }
        if self.accuracy is not None:
            sent["pos.location.accuracy"] = str(self.accuracy)
        return sent


class GpsReceiver:
    """The receiver of a terminal. `position` is None where it receives nothing, as in a cellar, and
    where the model has none.
    """

    def __init__(self, model: str, *, is_fitted: bool) -> None:
        self._model = model
        self.is_fitted = is_fitted
        self.position: Position | None = None

    def move(self, written: str) -> None:
        """Be at the position in a text, or without one. Raises PositionError."""
        if not self.is_fitted:
            raise PositionError(f"position: expected a terminal with GPS, got {self._model}")
        self.position = position_in(written) if written.strip() else None


def position_in(written: str) -> Position:
    """The position in a text such as 52.520008,13.404954,12. Raises PositionError."""
    parts = [part.strip() for part in written.split(",")]
    if not 2 <= len(parts) <= 3 or not all(NUMBER.fullmatch(part) for part in parts[:2]):
        raise PositionError(EXPECTED)
    if len(parts) == 3 and not ACCURACY.fullmatch(parts[2]):
        raise PositionError(EXPECTED)
    latitude, longitude = Decimal(parts[0]), Decimal(parts[1])
    if abs(latitude) > LATITUDE_MAX or abs(longitude) > LONGITUDE_MAX:
        raise PositionError(
            f"position: expected at most {LATITUDE_MAX} degrees of latitude and {LONGITUDE_MAX} "
            f"of longitude, got {latitude},{longitude}"
        )
    accuracy = int(parts[2]) if len(parts) == 3 else None
    return Position(latitude=latitude, longitude=longitude, accuracy=accuracy)


def _degrees(value: Decimal) -> str:
    """With one decimal at least, which the gateway wants."""
    written = f"{value:f}"
    return written if "." in written else f"{written}.0"
