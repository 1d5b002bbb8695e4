"""What ends a request tells its verdict: a user taken away excuses it, any other error does not."""

import os
import subprocess
import sys

import pytest

from load.servers import ROOT

# Importing a desk imports Locust, which patches its process.
ASK = """
import sys
from types import SimpleNamespace
import gevent
from locust.exception import StopUser
from load.ledger import read_lines
from load.orders import report_of_tree
from load.payloads import shoppers_of
from load.tests.making import a_plan
from load.users.desk import Desk, Hall

ENDS = {"exit": gevent.GreenletExit, "stop": StopUser, "error": ZeroDivisionError}

def request(*_, **__):
    raise ENDS[sys.argv[1]]

hall = Hall(a_plan(run="of-this-run"), index=0, shoppers=shoppers_of(1, 1), schedule=None)
client = SimpleNamespace(request=request)
user = SimpleNamespace(environment=SimpleNamespace(hall=hall), client=client)
try:
    Desk(user).ask(report_of_tree("root"))
except tuple(ENDS.values()):
    pass
for line in read_lines(hall.book.take().splitlines()):
    print(line.verdict, line.reason, sep=";")
print(hall.payloads().reference())
"""


@pytest.mark.parametrize(
    ("end", "written"),
    [
        ("exit", "cut off;"),
        ("stop", "cut off;"),
        ("error", "failed;expected an answer, got ZeroDivisionError"),
    ],
)
def test_only_a_user_who_was_taken_away_excuses_a_request(end, written):
    ran = subprocess.run(
        [sys.executable, "-c", ASK, end], env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert ran.stdout.splitlines() == [written, "load-of-this-run-1-0-2-000001"], ran.stderr
