"""A process of its own for work on files, so that it takes its time on another core.

Both ends write frames into a pipe: a kind, four bytes of length, and the content. A worker gets its
job in the first frame, then what streams in; it answers with frames of its own. Where the process
that started it is gone, it ends at once: another one may do its work again.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import BinaryIO, NoReturn

from gevent import subprocess

DATA, END, REFUSED = b"d", b"e", b"r"
LENGTH_BYTES = 4
# Others go first: a client that waits for the gateway waits for its process.
NICENESS = 5


class WorkRefusedError(Exception):
    """What a worker was given cannot be worked on; the argument says why, as the worker encoded
    it.
    """

    def __init__(self, why: bytes):
        super().__init__(why.decode("utf-8", "replace"))
        self.why = why


class WorkerEndedError(OSError):
    """A worker ended before it had answered."""


class Worker:
    """The end of a worker that its starter holds."""

    def __init__(self, process: "subprocess.Popen[bytes]"):
        self._process = process

    def send(self, content: bytes) -> None:
        """Hand it a frame. Raises WorkerEndedError, and WorkRefusedError where it says why."""
        self._send(DATA, content)

    def answers(self) -> Iterator[bytes]:
        """End what streams in; the frames of its answer. Raises as `send`."""
        self._send(END, b"")
        while (content := self._next()) is not None:
            yield content

    def _send(self, kind: bytes, content: bytes) -> None:
        try:
            write_frame(self._process.stdin, kind, content)
        except BrokenPipeError:
            self._refused()

    def _refused(self) -> NoReturn:
        while self._next() is not None:
            pass
        raise WorkerEndedError("expected a worker that takes its work; it has ended")

    def _next(self) -> bytes | None:
        kind, content = read_frame(self._process.stdout)
        if kind == REFUSED:
            raise WorkRefusedError(content)
        if not kind:
            raise WorkerEndedError("expected the answer of a worker; it ended without one")
        return content if kind == DATA else None


@contextmanager
def start_worker(module: str, job: bytes) -> Iterator[Worker]:
    """A worker that runs `python -m module`, with its job; it does not outlive this."""
    process = subprocess.Popen(
        [sys.executable, "-m", module], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        worker = Worker(process)
        worker.send(job)
        yield worker
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                pipe.close()


def do_work(work: Callable[[bytes, Iterator[bytes]], Iterable[bytes]]) -> None:
    """Do the work that this process was started for: `work` is given the job and the frames that
    stream in, reads all of them, and answers with frames; WorkRefusedError refuses it.
    """
    os.nice(NICENESS)
    source, target = sys.stdin.buffer, sys.stdout.buffer
    _, job = read_frame(source)
    try:
        for content in work(job, _incoming(source)):
            write_frame(target, DATA, content)
        write_frame(target, END, b"")
    except WorkRefusedError as refused:
        write_frame(target, REFUSED, refused.why)


def write_frame(target: BinaryIO, kind: bytes, content: bytes) -> None:
    """Write a frame."""
    target.write(kind + len(content).to_bytes(LENGTH_BYTES, "big") + content)
    target.flush()


def read_frame(source: BinaryIO) -> tuple[bytes, bytes]:
    """Kind and content of the next frame; both empty where there is none any more, or a part of
    one.
    """
    head = source.read(1 + LENGTH_BYTES)
    length = int.from_bytes(head[1:], "big")
    content = source.read(length) if len(head) == 1 + LENGTH_BYTES else b""
    is_whole = len(head) == 1 + LENGTH_BYTES and len(content) == length
    return (head[:1], content) if is_whole else (b"", b"")


def _incoming(source: BinaryIO) -> Iterator[bytes]:
    while True:
        kind, content = read_frame(source)
        if not kind:
            os._exit(1)
        if kind == END:
            break
        yield content
    Thread(target=_end_with_starter, args=(source,), daemon=True).start()


def _end_with_starter(source: BinaryIO) -> None:
    """Nothing comes any more but the end of the process that started this one."""
    source.read(1)
    os._exit(1)
