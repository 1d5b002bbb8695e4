"""Standard output and standard error: they may be closed by their reader (`sandgate ... | head`),
their encoding may lack characters, no control character of what a command shows reaches a
terminal, and no secret that it was given is shown. Choices: D-266, D-359.
"""

import _thread
import codecs
import io
import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from simulator.client.shown.known_secrets import MASK, KnownSecrets, secrets_of
from simulator.client.shown.secret_names import STEMS_IN_TEXTS
from simulator.client.shown.user_parts import without_user_parts
from simulator.grammar.characters import escape_output

# Of a program that SIGPIPE ended, and of a command that failed.
OUTPUT_CLOSED, OUTPUT_FAILED = 141, 1
# How the line of an error begins: of Sandgate, and of the library that reads the command line.
ERRORS = ("sandgate: ", "Error: ")
NUMBER_LENGTH_MIN = 12
# How what is hidden by its name begins: the name, or the scheme of a header.
SECRET_BEGINNINGS = (*STEMS_IN_TEXTS, "basic ")
# What stands for a character that the encoding of a stream does not have; others are escapes.
PLAIN_SIGNS = {"\u2713": "+", "\u2717": "x"}
ENCODING_ERRORS = "sandgate.plain"
# ASCII by another name. click takes a stream that is ASCII for a mistake, and writes UTF-8 past it.
PLAIN_ASCII = "sandgate_ascii"


class PipedOutput(io.FileIO):
    """A standard stream; a write that fails is no error of what the command was doing."""

    def __init__(self, descriptor: int, *, ends_the_command: bool):
        super().__init__(descriptor, "w", closefd=False)
        self._ends_the_command = ends_the_command

    def write(self, content: Any, /) -> int:
        """Write what fits; a closed pipe or a full disk ends the command."""
        try:
            return super().write(content) or 0
        except BrokenPipeError:
            self._discard()
            if not self._ends_the_command:
                return len(content)
            _end(OUTPUT_CLOSED)
        except OSError as error:
            self._discard()
            if not self._ends_the_command:
                return len(content)
            print(f"sandgate: standard output: {error.strerror}", file=sys.stderr)
            _end(OUTPUT_FAILED)
        return 0

    def _discard(self) -> None:
        """Send the rest nowhere, so that the flush at the end of the process cannot fail."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)


class EscapedOutput(io.TextIOWrapper):
    """A standard stream in which control characters are escapes. An error has no colours of its
    own: those in it come from a file, a server or an argument that it repeats. Nor does it repeat
    a card number, a key, the user part of an address or what follows the name of a secret. No text
    shows the secrets that the command was given.
    """

    secrets = KnownSecrets()

    def write(self, text: str, /) -> int:
        """Write the text, escaped and without the secrets; an error masked."""
        is_error = text.startswith(ERRORS)
        shown = self.secrets.hidden_in(text)
        shown = _masked(shown) if is_error else shown
        is_styled = self.isatty() and not is_error
        super().write(escape_output(shown, is_terminal=is_styled))
        return len(text)

    def hide(self, secrets: Iterable[str]) -> None:
        """Hide these too from now on."""
        self.secrets = self.secrets.with_more(secrets)

    @contextmanager
    def showing_secrets(self) -> Iterator[None]:
        """Hide none of them meanwhile: credentials are used as they are printed."""
        hidden, self.secrets = self.secrets, KnownSecrets()
        try:
            yield
        finally:
            self.secrets = hidden


def guard_standard_streams() -> None:
    """Let a closed standard output end the command quietly, and a closed standard error do nothing;
    escape what both print, and what their encoding does not have.

    Streams that are no files, such as those of a test, stay as they are.
    """
    _open_missing_streams()
    codecs.register_error(ENCODING_ERRORS, _plain)
    codecs.register(_plain_ascii)
    sys.excepthook = show_traceback
    secrets = KnownSecrets(*secrets_of(os.environ, sys.argv[1:]))
    for name, ends_the_command in (("stdout", True), ("stderr", False)):
        stream = getattr(sys, name)
        try:
            descriptor = stream.fileno()
        except (AttributeError, OSError, ValueError):
            continue
        is_ascii = codecs.lookup(stream.encoding).name == "ascii"
        raw = PipedOutput(descriptor, ends_the_command=ends_the_command)
        guarded = EscapedOutput(
            io.BufferedWriter(raw),
            encoding=PLAIN_ASCII if is_ascii else stream.encoding,
            errors=ENCODING_ERRORS,
            line_buffering=stream.line_buffering,
        )
        guarded.secrets = secrets
        setattr(sys, name, guarded)


def show_traceback(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Print the traceback of what nothing has caught, masked as errors are."""
    sys.stderr.write(_masked("".join(traceback.format_exception(kind, error, trace))))


def _open_missing_streams() -> None:
    """Open nothing in place of each standard stream that the command was started without
    (`sandgate ... >&-`): no code has to expect none, and no file or socket gets its number.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nothing = open(os.devnull, mode, encoding="utf-8")  # noqa: PTH123, SIM115
            setattr(sys, name, nothing)
            # It is kept here, as Python keeps its own, until the process ends.
            setattr(sys, f"__{name}__", nothing)


def _plain_ascii(name: str) -> codecs.CodecInfo | None:
    if name != PLAIN_ASCII:
        return None
    ascii_codec = codecs.lookup("ascii")
    return codecs.CodecInfo(
        ascii_codec.encode,
        ascii_codec.decode,
        incrementalencoder=ascii_codec.incrementalencoder,
        incrementaldecoder=ascii_codec.incrementaldecoder,
        name=PLAIN_ASCII,
    )


def _plain(error: UnicodeError) -> tuple[str, int]:
    """What an encoding does not have: a plain sign, or escapes of JSON, so that JSON keeps its
    meaning.
    """
    assert isinstance(error, UnicodeEncodeError)
    missing = error.object[error.start : error.end]
    signs = (PLAIN_SIGNS.get(sign) or json.dumps(sign)[1:-1] for sign in missing)
    return "".join(signs), error.end


def _masked(text: str) -> str:
    text = without_user_parts(text, MASK)
    lowered = text.lower()
    has_name = any(stem in lowered for stem in SECRET_BEGINNINGS)
    if not has_name and sum(map(str.isdigit, text)) < NUMBER_LENGTH_MIN:
        return text
    # Imported on demand: few runs end so, and it reads the ranges of card numbers.
    from simulator.domain.masking.masking import mask_reason

    return mask_reason(text)


def _end(status: int) -> None:
    """End the command; from another thread than the main one as Ctrl-C does, or as SIGTERM does
    where a shell has started it in the background, so that it ignores Ctrl-C.
    """
    if threading.current_thread() is not threading.main_thread():
        is_ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        _thread.interrupt_main(signal.SIGTERM if is_ignored else signal.SIGINT)
        return
    raise SystemExit(status)
