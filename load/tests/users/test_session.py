"""What a session sends, and the verdict on a request that raised: aborted if the run stopped its
user, otherwise failed.
"""

import os
import subprocess
import sys

import pytest

from load.gateway.server import ROOT
from simulator.client.ports import free_port

# Importing a session imports Locust, which patches its process.
SETUP = """
import sys
from datetime import date
from types import SimpleNamespace
import gevent
from locust.contrib.fasthttp import FastHttpSession
from locust.event import Events
from locust.exception import StopUser
from load.ledger.records import decode_lines
from load.tests.records import create_plan
from load.traffic.payloads import create_shoppers
from load.traffic.requests import report_of_days, report_of_payment, report_of_tree
from load.users.session import ProcessContext, UserSession

def session_with(plan, client):
    context = ProcessContext(plan, index=0, shoppers=create_shoppers(1, 1), schedule=None)
    user = SimpleNamespace(environment=SimpleNamespace(process_context=context), client=client)
    return UserSession(user)
"""
SEND = f"""{SETUP}
ENDS = dict(exit=gevent.GreenletExit, stop=StopUser, error=ZeroDivisionError)

def request(*_, **__):
    raise ENDS[sys.argv[1]]

client = SimpleNamespace(request=request)
if sys.argv[1].startswith("http"):
    client = FastHttpSession(sys.argv[1], Events().request, None)
session = session_with(create_plan(run="of-this-run"), client)
context = session.context
try:
    session.send(report_of_tree("root"))
except tuple(ENDS.values()):
    pass
for line in decode_lines(context.ledger.take_lines().splitlines()):
    print(line.verdict, line.reason, sep=";")
print(context.create_payloads().next_reference())
"""
SHOW_PATHS = f"""{SETUP}
def request(method, path, **_):
    print(path.partition("?")[0])
    raise StopUser

paths = dict([["v1/query", "v2/reports"], ["v3/query", "pages"]])
session = session_with(create_plan(paths=paths), SimpleNamespace(request=request))
today = date(2030, 1, 1)
for sent in (report_of_tree("r"), report_of_payment("p1", ""), report_of_days(today, today, 50)):
    try:
        session.send(sent)
    except StopUser:
        pass
"""


@pytest.mark.parametrize(
    ("end", "written"),
    [
        ("exit", "aborted;"),
        ("stop", "aborted;"),
        ("error", "failed;expected a response, got ZeroDivisionError"),
    ],
)
def test_only_a_request_of_a_stopped_user_is_aborted(end, written):
    ran = subprocess.run(
        [sys.executable, "-c", SEND, end], env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert ran.stdout.splitlines() == [written, "load-of-this-run-1-0-2-000001"], ran.stderr


def test_a_request_without_a_response_names_the_cause():
    nowhere = f"http://127.0.0.1:{free_port()}/"
    ran = subprocess.run(
        [sys.executable, "-c", SEND, nowhere], env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert ran.stdout.splitlines()[0] == "no response;no response: connection refused", ran.stderr


def test_reports_are_requested_under_the_paths_that_the_target_file_names():
    ran = subprocess.run(
        [sys.executable, "-c", SHOW_PATHS], env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    base = "http://127.0.0.1:1/"
    expected = [f"{base}v2/reports", f"{base}v2/reports/p1", f"{base}pages"]
    assert ran.stdout.splitlines() == expected, ran.stderr
