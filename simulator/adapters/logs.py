"""The log on standard error, for people or for machines. What may be seen of it is masked.

Modules log through the standard library; structlog renders. What a line is about goes into `extra`,
such as `extra={"ndc": ndc}`, and stands in it under its own name.
"""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

from simulator.domain.core.masking import masked


def set_up_logging(form: str, level: str = "info") -> None:
    """Log to standard error from here on: `form` is console or json, `level` the lowest logged."""
    handler = logging.StreamHandler()
    handler.setFormatter(LateFormatter(form, is_terminal=sys.stderr.isatty()))
    root = logging.getLogger("sandgate")
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    root.propagate = False


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
            _mask,
            for_machines if is_json else for_people,
        ],
    )  # fmt: skip


def _mask(logger: object, method: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    return masked(entry)  # type: ignore[return-value]
