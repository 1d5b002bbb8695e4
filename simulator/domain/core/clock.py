"""World time of a sandbox: a line through real time, whose slope is its rate.

real: the line is the present itself; frozen: rate 0; offset: rate 1, moved; scaled: any other rate.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Literal

import msgspec

from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.errors import InvalidInputError

Mode = Literal["real", "frozen", "offset", "scaled"]
RATE_MAX = 1_000_000.0
SHOWN_LENGTH = 40
SPAN_MAX = timedelta(days=36_525)
# Clocks stay between these, so that adding a span to one never overflows.
EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
LATEST = datetime(2999, 12, 31, tzinfo=UTC)
SPAN = re.compile(
    r"P?(?:(?P<weeks>[0-9]+)w)?(?:(?P<days>[0-9]+)d)?t?"
    r"(?:(?P<hours>[0-9]+)h)?(?:(?P<minutes>[0-9]+)m)?(?:(?P<seconds>[0-9]+(?:\.[0-9]+)?)s)?",
    re.IGNORECASE,
)


class ClockSetting(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a sandbox's clock stands: at the real instant `real` it showed `world`, and runs at
    `rate`.
    """

    id: str = "clock"
    version: int = 0
    mode: Mode = "real"
    world: datetime | None = None
    real: datetime | None = None
    rate: float = 1.0


def is_coherent(setting: ClockSetting) -> bool:
    """Whether a clock can stand so: real, or at an instant between the limits of the other modes
    with the rate of its mode.
    """
    if setting.mode == "real":
        return setting.world is None and setting.real is None
    rates = {"frozen": setting.rate == 0, "offset": setting.rate == 1}
    return (
        rates.get(setting.mode, 0 < setting.rate <= RATE_MAX)
        and setting.world is not None
        and setting.real is not None
        and all(EARLIEST <= each <= LATEST for each in (setting.world, setting.real))
    )


def world_time(setting: ClockSetting, real_now: datetime) -> datetime:
    """What the clock shows at the real instant `real_now`."""
    if setting.world is None:
        return real_now
    if not setting.rate:
        return setting.world
    assert setting.real is not None, "a clock that shows another time knows since when"
    passed = (real_now - setting.real).total_seconds() * setting.rate
    room = (LATEST - setting.world).total_seconds()
    return setting.world + timedelta(seconds=min(passed, room))


def wire_span(left: timedelta, rate: float) -> timedelta | None:
    """How much wire time passes until a clock of this rate has gone on by `left`: zero if it has,
    None if it never will.
    """
    if left <= timedelta(0):
        return timedelta(0)
    try:
        return left / rate if rate else None
    except OverflowError:
        # A rate near zero: longer than a span can be.
        return None


def moved_to(setting: ClockSetting, world: datetime, *, real_now: datetime) -> ClockSetting:
    """The clock at `world`, its mode kept (a real clock becomes an offset one). It never goes
    backwards.

    Raises InvalidInputError.
    """
    refuse_past(world, world_time(setting, real_now))
    mode = "offset" if setting.mode == "real" else setting.mode
    return msgspec.structs.replace(setting, mode=mode, world=world, real=real_now)


def refuse_past(world: datetime, shown: datetime, *, where: str = "at") -> None:
    """Raise InvalidInputError that names `where` unless the clock can go from `shown` to
    `world`.
    """
    if world > LATEST:
        raise InvalidInputError(where, f"{LATEST.isoformat()} at the latest", world.isoformat())
    if world < shown:
        expected = f"{shown.isoformat()} or later: a clock never goes backwards"
        raise InvalidInputError(where, expected, world.isoformat())


def set_mode(
    setting: ClockSetting,
    mode: Mode,
    *,
    at: datetime | None,
    rate: float | None,
    real_now: datetime,
) -> ClockSetting:
    """The clock in another mode, from `at` (or from what it shows) on. Raises InvalidInputError."""
    if mode == "real":
        refuse_idle(at=at, rate=rate)
        return _real(setting, real_now)
    moved = moved_to(setting, at or world_time(setting, real_now), real_now=real_now)
    return msgspec.structs.replace(moved, mode=mode, rate=_rate_of(mode, rate))


def refuse_idle(*, at: object, rate: float | None) -> None:
    """Raise InvalidInputError where a real clock is given what only another one has."""
    given = [name for name, each in (("at", at), ("rate", rate)) if each is not None]
    if given:
        named = " and ".join(given)
        raise InvalidInputError(
            "mode", f"frozen, offset or scaled beside {named}", "real, or no mode"
        )


def read_span(text: str, *, where: str = "by") -> timedelta:
    """The span `text` writes: 90s, 2h30m, 1d, PT30M. Raises InvalidInputError that names
    `where`.
    """
    found = SPAN.fullmatch(text)
    parts = {name: float(part) for name, part in found.groupdict().items() if part} if found else {}
    if not parts:
        raise InvalidInputError(
            where, "a span such as 90s, 2h30m, 1d or PT30M", beginning_of(text, SHOWN_LENGTH)
        )
    try:
        span = timedelta(**parts)
    except OverflowError:
        span = timedelta.max
    if span > SPAN_MAX:
        raise InvalidInputError(
            where, f"a span of at most {SPAN_MAX.days}d", beginning_of(text, SHOWN_LENGTH)
        )
    return span


def read_instant(text: str, *, where: str = "at") -> datetime:
    """The instant `text` writes, ISO 8601, UTC where it names no zone. Raises InvalidInputError
    that names
    `where`.
    """
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        expected = "an instant such as 2027-01-31T12:00:00Z"
        raise InvalidInputError(where, expected, beginning_of(text, SHOWN_LENGTH)) from None
    try:
        instant = read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
    except OverflowError:
        instant = None
    if instant is None or not EARLIEST <= instant <= LATEST:
        expected = f"an instant from {EARLIEST.isoformat()} to {LATEST.isoformat()}"
        raise InvalidInputError(where, expected, beginning_of(text, SHOWN_LENGTH))
    return instant


def _real(setting: ClockSetting, real_now: datetime) -> ClockSetting:
    shown = world_time(setting, real_now)
    if shown > real_now:
        raise InvalidInputError(
            "mode", f"another mode: real time is {real_now.isoformat()}, behind the clock", "real"
        )
    return ClockSetting(version=setting.version)


def _rate_of(mode: Mode, rate: float | None) -> float:
    fixed = {"frozen": 0.0, "offset": 1.0}.get(mode)
    if fixed is not None:
        return fixed
    if rate is None or not 0 < rate <= RATE_MAX:
        raise InvalidInputError(
            "rate",
            f"a number above 0, at most {RATE_MAX:.0f}",
            "none" if rate is None else str(rate),
        )
    return rate
