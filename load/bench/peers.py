"""Other programs that answer a payment request, beside the gateway: Prism, WireMock and Mockoon.

Each that is installed is started on the core of the gateway and driven in turn with it, in the
opposite order every other round. It is sent five parameters and answers the same example every
time, and it stores nothing; the gateway is sent forty, checks them, and answers when the payment is
durable. Ratios are per round. A program that is not on the PATH is skipped with a line.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple
from urllib.parse import urlencode

from load.bench.generator import RequestTemplate, drive
from load.bench.payment import NUMBER_PLACE, PATH, format_post
from load.bench.plan import BenchPlan
from load.bench.throughput import create_sandbox
from load.figures.figure import AT_LEAST, Figure, Goal
from load.gateway.server import SERVER_CORE, start_gateway

HOST = "127.0.0.1"
START_S_MAX, LOOK_S = 60.0, 0.1
JSON = "application/json"
FORM = {
    "entityId": "8" * 32,
    "paymentType": "DB",
    "amount": "92.00",
    "currency": "EUR",
    "merchantTransactionId": f"order-{NUMBER_PLACE}",
}
EXAMPLE = {
    "id": "8ac7a4a19cf1e2d3019cf1e5f2c00a11",
    "paymentType": "DB",
    "amount": "92.00",
    "currency": "EUR",
    "result": {"code": "000.100.110", "description": "successfully processed"},
}


class Peer(NamedTuple):
    """A program: its name, its command, and what writes its files into a folder and gives the
    arguments for a port.
    """

    name: str
    command: str
    prepare: Callable[[Path, int], list[str]]


def peer_figures(plan: BenchPlan, folder: Path) -> list[Figure]:
    """Measure the rate of each program that is installed, and of the gateway against it."""
    figures: list[Figure] = []
    for peer in PEERS:
        found = shutil.which(peer.command)
        if found is None:
            print(f"skipped: {peer.name}, there is no {peer.command} on the PATH", file=sys.stderr)
            continue
        figures += _figures(peer, found, plan, folder / peer.command)
    return figures


def _figures(peer: Peer, found: str, plan: BenchPlan, folder: Path) -> list[Figure]:
    with ExitStack() as stack:
        gateway = stack.enter_context(start_gateway(folder / "gateway", pinned=True))
        address = stack.enter_context(_started(peer, found, folder))
        ours, theirs = create_sandbox(gateway).requests, _requests(address)
        for requests in (ours, theirs):
            drive(requests, seconds=plan.peer_warm_up_s)
        rates: list[tuple[float, float]] = []
        for number in range(plan.rounds):
            order = (theirs, ours) if number % 2 else (ours, theirs)
            measured = {each: drive(each, seconds=plan.round_s).rate for each in order}
            rates.append((measured[ours], measured[theirs]))
    ratios = tuple(ours / theirs for ours, theirs in rates)
    return [
        Figure(f"answers, {peer.name}", "requests/s", tuple(theirs for _, theirs in rates)),
        Figure(f"payments beside {peer.name}", "requests/s", tuple(ours for ours, _ in rates)),
        Figure(f"payment against {peer.name}", "ratio", ratios, Goal(AT_LEAST, must=0.5, aim=1.0)),
    ]


@contextmanager
def _started(peer: Peer, found: str, folder: Path) -> Iterator[tuple[str, int]]:
    """Run a program until the end of the block; its address once it answers."""
    folder.mkdir(parents=True, exist_ok=True)
    address = (HOST, _free_port())
    process = subprocess.Popen(
        [found, *peer.prepare(folder, address[1])],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        start_new_session=True,
        preexec_fn=partial(os.sched_setaffinity, 0, {SERVER_CORE}),
    )
    try:
        _wait_for_answer(peer, process, address)
        yield address
    finally:
        # A launcher may have started the program itself: its session ends as a whole.
        os.killpg(process.pid, 9)
        process.wait()


def _wait_for_answer(
    peer: Peer, process: "subprocess.Popen[bytes]", address: tuple[str, int]
) -> None:
    until = monotonic() + START_S_MAX
    while monotonic() < until and process.poll() is None:
        try:
            drive(_requests(address), requests_max=1, connections=1)
        except OSError:
            sleep(LOOK_S)
        else:
            return
    raise RuntimeError(f"{peer.name} did not answer on port {address[1]}: {process.poll()}")


def _requests(address: tuple[str, int]) -> RequestTemplate:
    request = format_post(address, PATH, token="none", body=urlencode(FORM))
    before, _, after = request.partition(NUMBER_PLACE.encode())
    return RequestTemplate(address, before, after)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _prism(folder: Path, port: int) -> list[str]:
    text = {"type": "string"}
    schema = {
        "type": "object",
        "required": list(FORM),
        "properties": {**dict.fromkeys(FORM, text), "amount": {**text, "pattern": r"^\d+\.\d\d$"}},
    }
    answer = {"description": "A payment", "content": {JSON: {"example": EXAMPLE}}}
    body = {"required": True, "content": {"application/x-www-form-urlencoded": {"schema": schema}}}
    document = {
        "openapi": "3.0.3",
        "info": {"title": "Payments", "version": "1"},
        "paths": {PATH: {"post": {"requestBody": body, "responses": {"200": answer}}}},
    }
    path = _written(folder / "openapi.json", document)
    return ["mock", path, "--host", HOST, "--port", str(port), "--verboseLevel", "silent"]


def _wiremock(folder: Path, port: int) -> list[str]:
    mapping = {
        "request": {"method": "POST", "urlPath": PATH},
        "response": {"status": 200, "headers": {"Content-Type": JSON}, "jsonBody": EXAMPLE},
    }
    (folder / "mappings").mkdir(exist_ok=True)
    _written(folder / "mappings" / "payment.json", mapping)
    return ["--bind-address", HOST, "--port", str(port), "--root-dir", str(folder),
            "--no-request-journal", "--disable-banner"]  # fmt: skip


def _mockoon(folder: Path, port: int) -> list[str]:
    response = {
        "uuid": "2",
        "body": json.dumps(EXAMPLE),
        "statusCode": 200,
        "headers": [{"key": "Content-Type", "value": JSON}],
        "default": True,
    }
    route = {
        "uuid": "1",
        "type": "http",
        "method": "post",
        "endpoint": PATH.removeprefix("/"),
        "responses": [response],
    }
    environment = {
        "uuid": "0",
        "name": "payments",
        "hostname": HOST,
        "port": port,
        "routes": [route],
        "rootChildren": [{"type": "route", "uuid": "1"}],
    }
    path = _written(folder / "environment.json", environment)
    return ["start", "--data", path, "--port", str(port), "--disable-log-to-file", "--repair"]


def _written(path: Path, document: object) -> str:
    path.write_text(json.dumps(document), encoding="utf-8")
    return str(path)


PEERS = (
    Peer("Prism", "prism", _prism),
    Peer("WireMock", "wiremock", _wiremock),
    Peer("Mockoon", "mockoon-cli", _mockoon),
)
