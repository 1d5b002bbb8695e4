"""What the control API says against a call."""

from simulator.client.wire import Answer


class ControlError(Exception):
    """The control API said no; the message repeats what it expected and what came."""

    def __init__(self, message: str, status: int = 0):
        super().__init__(message)
        self.status = status


def said(answer: Answer) -> str:
    """What an answer says against a call, on one line."""
    detail = f"{answer.code} {answer.reason}".strip() or str(answer.body)
    if answer.at("error"):
        parts = (answer.at(f"error.{part}") for part in ("where", "expected", "got"))
        detail = "{}: expected {}; got {}".format(*parts)
    return f"status {answer.status}, {detail}"
