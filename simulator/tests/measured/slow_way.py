"""A way to a server that takes longer: what the server sends arrives 50 to 200 ms later."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random
from threading import Event, Thread

DELAY_S = (0.05, 0.2)
READ_BYTES = 1 << 16
LOOPBACK = "127.0.0.1"


@contextmanager
def slow_way(port: int) -> Iterator[int]:
    """The port of a slow way to the port of a server on this machine, until the block ends."""
    loop, is_open, found = asyncio.new_event_loop(), Event(), []

    async def listen() -> None:
        server = await asyncio.start_server(lambda *ends: _relay(*ends, port), LOOPBACK, 0)
        found.append(server.sockets[0].getsockname()[1])
        is_open.set()

    def serve() -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(listen())
        loop.run_forever()

    thread = Thread(target=serve, daemon=True)
    thread.start()
    is_open.wait()
    try:
        yield found[0]
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


async def _relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
    try:
        far_reader, far_writer = await asyncio.open_connection(LOOPBACK, port)
    except OSError:
        writer.close()
        return
    await asyncio.gather(
        _pass_on(reader, far_writer, is_slow=False),
        _pass_on(far_reader, writer, is_slow=True),
    )


async def _pass_on(
    source: asyncio.StreamReader, target: asyncio.StreamWriter, *, is_slow: bool
) -> None:
    """Everything in order, also that the source has ended; an end of this way ends the other."""
    draws = Random()
    with suppress(OSError):
        while read := await source.read(READ_BYTES):
            if is_slow:
                await asyncio.sleep(draws.uniform(*DELAY_S))
            target.write(read)
            await target.drain()
    with suppress(OSError, RuntimeError):
        if is_slow:
            target.close()
        else:
            target.write_eof()
