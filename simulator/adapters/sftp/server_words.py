"""What went wrong with a push, in words: of what the server said as little as may be shown."""

from paramiko import AuthenticationException
from paramiko.ssh_exception import IncompatiblePeer

from simulator.client.shown.spelled_secrets import spellings_of
from simulator.domain.masking.masking import cut_text, mask_text
from simulator.domain.settlement.pushing import PushAccess
from simulator.grammar.characters import escape_controls

SAID_LENGTH_MAX = 80
# Fewer characters of a password in a row may stand in any word.
PART_LENGTH = 6
REPEATED = "words that repeat the password or key, or a part of it"


def words_of(error: Exception, access: PushAccess) -> str:
    """What went wrong. Of what the other side said the beginning of a line, masked and escaped;
    nothing where it repeats the password or key. Choice: D-720.
    """
    if isinstance(error, UnicodeError):
        return "what is not UTF-8"
    if isinstance(error, AuthenticationException):
        return "a refusal"
    if isinstance(error, IncompatiblePeer) and "host key" in str(error):
        return "a server with host keys of other kinds"
    if isinstance(error, PermissionError):
        return "permission denied"
    if isinstance(error, FileNotFoundError):
        return "no such folder or file"
    if isinstance(error, EOFError):
        return "the end of the connection"
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, OSError) and error.errno is not None and error.strerror:
        return error.strerror.lower()
    return said_in(str(error), access) or type(error).__name__


def said_in(text: str, access: PushAccess) -> str:
    """What may be shown of a text that words of the server are in. Choice: D-720."""
    line = (text.splitlines() or [""])[0]
    # What the cut takes away ends a part that is too short to be noticed in the rest.
    if _repeats(line[: SAID_LENGTH_MAX + PART_LENGTH], access.password, _body_of(access.key)):
        return REPEATED
    said = cut_text(line, SAID_LENGTH_MAX)
    if said == "Failure":
        return "a failure that the server does not name, as where its disk is full"
    return escape_controls(mask_text(said))


def _body_of(key: str) -> str:
    """A key without its first and last line, which are those of all keys."""
    return "".join(line for line in key.splitlines() if not line.startswith("-----"))


def _repeats(said: str, *secrets: str) -> bool:
    """Whether a secret, or a part of it, stands in a text, however it is written."""
    said = said.lower()
    spelled = (spellings_of(each, packed_from=2) for each in secrets if each)
    forms = [form.lower() for each in spelled for form in each]
    parts = {said[place : place + PART_LENGTH] for place in range(len(said) - PART_LENGTH + 1)}
    return any(
        form in said if len(form) < PART_LENGTH else any(part in form for part in parts)
        for form in forms
    )
