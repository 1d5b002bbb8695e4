"""The log on standard error, for people or for machines. What may be seen of it is masked.

Modules log through the standard library; structlog renders. What a line is about goes into `extra`,
such as `extra={"ndc": ndc}`, and stands in it under its own name. Everything else that would be
printed on standard error goes the same way: errors that no greenlet and no thread handled, and
warnings. A line is one line, and holds no control character; the lines of a traceback are indented.
"""

import logging
import sys
import threading
from collections.abc import Callable, Mapping, MutableMapping
from errno import EMFILE, ENFILE
from time import monotonic
from types import TracebackType
from typing import Any

from simulator.domain.masking.masking import cut_text, masked
from simulator.grammar.characters import escape_controls

LOG = logging.getLogger("sandgate.errors")
# Longer texts are cut: of a traceback both ends are shown, for its error stands last.
TEXT_LENGTH_MAX = 4096
TRACEBACK_LENGTH_MAX = 16 * 1024
INDENT = "    "
LIMITED_S = 1.0
TRACEBACK = "exception"
NO_FILES_LEFT = (EMFILE, ENFILE)


def set_up_logging(form: str, level: str = "info") -> None:
    """Log to standard error from here on: `form` is console or json, `level` the lowest logged."""
    handler = logging.StreamHandler()
    handler.setFormatter(LateFormatter(form, is_terminal=sys.stderr.isatty()))
    root = logging.getLogger("sandgate")
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    root.propagate = False
    _take_over_libraries(handler)
    _take_over_errors()


def log_error(
    kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
) -> None:
    """Log an error that nothing handled, with its traceback."""
    if kind is not None and not issubclass(kind, KeyboardInterrupt | SystemExit):
        LOG.error("an error was not handled", exc_info=(kind, error or kind(), trace))


def _take_over_libraries(handler: logging.Handler) -> None:
    """What libraries log, and warnings: nothing is printed as it is."""
    others = logging.getLogger()
    for old in [each for each in others.handlers if isinstance(each.formatter, LateFormatter)]:
        others.removeHandler(old)
    others.addHandler(handler)
    logging.captureWarnings(True)
    # A record that cannot be written would be printed with its arguments.
    logging.raiseExceptions = False


def _take_over_errors() -> None:
    """Errors that nothing handled: of the program, of threads, of destructors, of greenlets."""
    from gevent import get_hub

    sys.excepthook = log_error
    sys.unraisablehook = lambda hooked: log_error(
        hooked.exc_type, hooked.exc_value, hooked.exc_traceback
    )
    threading.excepthook = lambda hooked: log_error(
        hooked.exc_type, hooked.exc_value, hooked.exc_traceback
    )
    get_hub().print_exception = LoopErrors().log


class LoopErrors:
    """The errors that no greenlet handled, or the event loop met. A listener that may open no more
    files meets one at every try: that is a line without a traceback, now and then.
    """

    __slots__ = ("_limited",)

    def __init__(self) -> None:
        self._limited = LimitedLog(LOG)

    def log(
        self,
        context: object,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Log one; `context` is what met it."""
        from gevent.baseserver import BaseServer

        number = error.errno if isinstance(error, OSError) else None
        if isinstance(context, BaseServer) and number in NO_FILES_LEFT:
            self._limited.warning("new connections wait, for the gateway has too many open files")
        else:
            log_error(kind, error, trace)


class LimitedLog:
    """A log of what any client can cause: one line a second, with a count of what was held back."""

    __slots__ = ("_held", "_log", "_next_at", "_now")

    def __init__(self, log: logging.Logger, now: Callable[[], float] = monotonic):
        self._log = log
        self._now = now
        self._next_at = 0.0
        self._held = 0

    def warning(self, message: str, *arguments: object) -> None:
        """Log a warning, or count it."""
        self._write(logging.WARNING, message, *arguments)

    def info(self, message: str, *arguments: object) -> None:
        """Log a line, or count it."""
        self._write(logging.INFO, message, *arguments)

    def _write(self, level: int, message: str, *arguments: object) -> None:
        now = self._now()
        if now < self._next_at:
            self._held += 1
            return
        if self._held:
            message = f"{message} ({self._held} more since the last line)"
        self._next_at, self._held = now + LIMITED_S, 0
        self._log.log(level, message, *arguments)


class LateFormatter(logging.Formatter):
    """Renders by structlog, which is imported with the first line: a start does not pay for it."""

    def __init__(self, form: str, *, is_terminal: bool):
        super().__init__()
        self._form = form
        self._is_terminal = is_terminal
        self._formatter: logging.Formatter | None = None

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line; for a person the traceback of a fault follows below it."""
        if self._formatter is None:
            self._formatter = _formatter(self._form, self._is_terminal)
        try:
            record.getMessage()
        except (TypeError, ValueError):
            record.args = ()
        return self._formatter.format(record)


def _formatter(form: str, is_terminal: bool) -> logging.Formatter:
    from structlog import dev, processors, stdlib

    for_people = dev.ConsoleRenderer(
        colors=is_terminal, event_key="message", timestamp_key="time",
        # The richer one shows the values of variables.
        exception_formatter=dev.plain_traceback,
    )  # fmt: skip
    for_machines = processors.JSONRenderer(ensure_ascii=False)
    is_json = form == "json"
    stamp = processors.TimeStamper("iso" if is_json else "%H:%M:%S", utc=is_json, key="time")
    return stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            stamp, stdlib.add_log_level, stdlib.add_logger_name, stdlib.ExtraAdder(),
        ],
        processors=[
            stdlib.ProcessorFormatter.remove_processors_meta,
            processors.format_exc_info,
            processors.EventRenamer("message"),
            _show,
            for_machines if is_json else for_people,
        ],
    )  # fmt: skip


def _show(logger: object, method: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """The entry cut, masked and escaped: in this order, for each costs more than the one before."""
    traceback = entry.pop(TRACEBACK, None)
    shown: dict[str, Any] = _escaped(masked(_cut(dict(entry))))
    if traceback is not None:
        text = str(masked(_ends_of(str(traceback))))
        lines = escape_controls(text, keep_lines=True).split("\n")
        shown[TRACEBACK] = "\n".join(INDENT + line for line in lines)
    return shown


def _cut(value: Any) -> Any:
    if isinstance(value, str):
        return cut_text(value, TEXT_LENGTH_MAX)
    if isinstance(value, Mapping):
        return {_cut(str(key)): _cut(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_cut(each) for each in value]
    return value if isinstance(value, int | float | None) else cut_text(str(value), TEXT_LENGTH_MAX)


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return escape_controls(value)
    if isinstance(value, Mapping):
        return {_escaped(key): _escaped(each) for key, each in value.items()}
    return [_escaped(each) for each in value] if isinstance(value, list) else value


def _ends_of(traceback: str) -> str:
    """A traceback; of a long one the beginning and the end, with no part of a number at a cut."""
    half = TRACEBACK_LENGTH_MAX // 2
    if len(traceback) <= TRACEBACK_LENGTH_MAX:
        return traceback
    end = cut_text(traceback[::-1], half)[::-1]
    return f"{cut_text(traceback, half)}\n... ({len(traceback)} characters)\n{end}"
