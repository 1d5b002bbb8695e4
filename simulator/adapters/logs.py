"""The log on standard error, for people or for machines. It carries no parameter of a request."""

import json
import logging
from datetime import UTC, datetime


def set_up_logging(form: str) -> None:
    """Log to standard error from here on: `form` is console or json."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if form == "json" else ConsoleFormatter())
    root = logging.getLogger("sandgate")
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    root.propagate = False


class ConsoleFormatter(logging.Formatter):
    """One line for a person, and the traceback of a fault below it."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s", "%H:%M:%S")


class JsonFormatter(logging.Formatter):
    """One JSON object a line, the traceback in it."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line."""
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False)
