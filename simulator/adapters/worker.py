"""A process of its own for work on files, so that it takes its time on another core.

Both ends write frames into a pipe: a kind, four bytes of length, and the content. A worker gets its
job in the first frame, then what streams in; it answers with frames of its own. Where the process
that started it is gone, it ends at once: another one may do its work again.
"""

import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import BinaryIO, NoReturn

import gevent
from gevent.fileobject import FileObjectPosix

DATA, END, REFUSED, FAILED = b"d", b"e", b"r", b"f"
LENGTH_BYTES = 4
# Others go first: a client that waits for the gateway waits for its process.
NICENESS = 5
REAP_S = 0.005


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

    def __init__(self, source: BinaryIO, target: BinaryIO):
        self._source, self._target = source, target

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
            write_frame(self._target, kind, content)
        except BrokenPipeError:
            self._refused()

    def _refused(self) -> NoReturn:
        while self._next() is not None:
            pass
        raise WorkerEndedError("expected a worker that takes its work; it has ended")

    def _next(self) -> bytes | None:
        kind, content = read_frame(self._source)
        if kind == REFUSED:
            raise WorkRefusedError(content)
        if kind == FAILED:
            raise WorkerEndedError(content.decode("utf-8", "replace"))
        if not kind:
            raise WorkerEndedError("expected the answer of a worker; it ended without one")
        return content if kind == DATA else None


@contextmanager
def start_worker(module: str, job: bytes) -> Iterator[Worker]:
    """A worker that runs `python -m module`, with its job; it does not outlive this."""
    process, source, target = _spawn([sys.executable, "-m", module])
    try:
        worker = Worker(source, target)
        worker.send(job)
        yield worker
    finally:
        _end(process)
        for pipe in (source, target):
            with suppress(OSError):
                pipe.close()


def _spawn(command: list[str]) -> tuple[int, BinaryIO, BinaryIO]:
    """A process, and pipes from it and to it. It is spawned, not forked: to fork a process of a
    gigabyte takes 30 milliseconds, in which it does nothing else, and then costs every page that
    it writes to.
    """
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    try:
        pipes = [(os.POSIX_SPAWN_DUP2, theirs_in, 0), (os.POSIX_SPAWN_DUP2, theirs_out, 1)]
        process = os.posix_spawn(command[0], command, os.environ, file_actions=pipes)
    except BaseException:
        os.close(ours_in)
        os.close(ours_out)
        raise
    finally:
        os.close(theirs_in)
        os.close(theirs_out)
    return process, FileObjectPosix(ours_in, "rb"), FileObjectPosix(ours_out, "wb")


def _end(process: int) -> None:
    """Kill it, unless it has ended, and wait until it is gone."""
    with suppress(ChildProcessError):
        while os.waitpid(process, os.WNOHANG)[0] == 0:
            os.kill(process, signal.SIGKILL)
            gevent.sleep(REAP_S)


def do_work(work: Callable[[bytes, Iterator[bytes]], Iterable[bytes]]) -> NoReturn:
    """Do the work that this process was started for, and end it: `work` is given the job and the
    frames that stream in, reads all of them, and answers with frames; WorkRefusedError refuses it.
    """
    os.nice(NICENESS)
    # A worker that is woken takes the processor from none that works.
    if hasattr(os, "SCHED_BATCH"):
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    source, target = sys.stdin.buffer, sys.stdout.buffer
    kind, job = read_frame(source)
    if not kind:
        # The process that started this one has ended already.
        os._exit(1)
    try:
        _answer(target, work(job, _incoming(source)))
    except OSError as error:
        # The process that started this one has the log: nothing is written past it.
        with suppress(OSError):
            write_frame(target, FAILED, f"{type(error).__name__}: {error.strerror}".encode())
    except Exception:
        traceback.print_exc()
    finally:
        # A thread waits for the end of the starter: it would disturb an orderly one.
        os._exit(0)


def _answer(target: BinaryIO, frames: Iterable[bytes]) -> None:
    try:
        for content in frames:
            write_frame(target, DATA, content)
        write_frame(target, END, b"")
    except WorkRefusedError as refused:
        write_frame(target, REFUSED, refused.why)


def fork_beside(work: Callable[[], object]) -> Callable[[], None]:
    """Do work in another process, which has all that this worker has; what comes back waits for its
    end. Either ends with the other one. Raises WorkerEndedError where the work failed.
    """
    theirs, ours = os.pipe()
    child = os.fork()
    if not child:
        os.close(ours)
        _do_beside(work, os.fdopen(theirs, "rb"))
    os.close(theirs)

    def wait() -> None:
        _, status = os.waitpid(child, 0)
        os.close(ours)
        if status:
            raise WorkerEndedError("expected work beside this one that ends well; it failed")

    return wait


def _do_beside(work: Callable[[], object], starter: BinaryIO) -> NoReturn:
    Thread(target=_end_with_starter, args=(starter,), daemon=True).start()
    status = 1
    try:
        work()
        status = 0
    except OSError:
        # The status says so: nothing is written past the log.
        pass
    except Exception:
        traceback.print_exc()
    finally:
        # Nothing of what this worker would do after an error, or at its end, is done twice.
        os._exit(status)


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
