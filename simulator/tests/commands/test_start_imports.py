"""A start: libraries that few gateways need are loaded when they are needed, and Ctrl-C ends it."""

import json
import subprocess
import sys

import pytest

from simulator.tests.kit.trees import ROOT

# Together they took a third of the processor time of a start.
LATE = (
    "asn1crypto", "iso4217", "jinja2", "joserfc", "lxml", "paramiko", "pycparser", "pydantic",
    "pydukpt",
)  # fmt: skip
START = """
import json, sys
from simulator.__main__ import _make_ready_to_serve
_make_ready_to_serve()
from simulator.cli import command_line
import acquirer_mocks.simulators, simulator.serving
_, serve, rest = command_line().resolve_command(None, ["serve", "--port", "0", "--ready-json"])
context = serve.make_context("serve", rest)
print(json.dumps({"modules": sorted({name.partition(".")[0] for name in sys.modules
                                     if sys.modules[name] is not None}),
                  "port": context.params["port"], "data": context.params["data"],
                  "ready_json": context.params["ready_json"]}))
"""


def test_a_start_loads_no_library_that_few_gateways_need() -> None:
    done = subprocess.run(
        [sys.executable, "-c", START], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    )
    started = json.loads(done.stdout)
    assert not {*LATE} & {*started["modules"]}
    assert (started["port"], started["data"], started["ready_json"]) == ("0", None, True)


# As if a person pressed Ctrl-C while the command line is imported.
INTERRUPTED = """
import builtins, os, signal, sys
from simulator import __main__ as entry
import_module = builtins.__import__
def interrupted(name, *rest, **more):
    if name == "simulator.cli":
        os.kill(os.getpid(), signal.SIGINT)
    return import_module(name, *rest, **more)
builtins.__import__ = interrupted
sys.argv = ["sandgate", sys.argv[1]]
entry.main()
"""


@pytest.mark.parametrize("command", ["version", "serve"])
def test_an_interrupted_start_ends_without_a_traceback(command: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, command], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")
