"""What the project asks for, and the lock of it. The wheel: test_wheel.py."""

import re
import tomllib

from simulator.tests.kit.trees import ROOT, sources

LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.MULTILINE)


def locked() -> dict[str, str]:
    return {name.lower().replace("_", "-"): version for name, version in PINNED.findall(LOCK)}


def asked_for() -> list[str]:
    wanted = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]
    return [re.split(r"[<>=!~;\[ ]", requirement)[0].lower() for requirement in wanted]


def test_the_lock_names_every_package_that_is_asked_for():
    assert [name for name in asked_for() if name not in locked()] == []


MODULES = {
    "prometheus-client": "prometheus_client",
    "pyiso8583": "iso8583",
    "python-stdnum": "stdnum",
    "pyyaml": "yaml",
    "swagger-ui-py": "swagger_ui",
}


def test_nothing_is_installed_with_the_gateway_that_it_does_not_use():
    code = "\n".join(source.text for source in sources() if not source.is_test)
    names = [re.split(r"[<>=]", requirement)[0] for requirement in PROJECT["dependencies"]]

    unused = [name for name in names if not re.search(rf"\b{MODULES.get(name, name)}\b", code)]

    assert unused == [], f"{unused}: take it out of pyproject.toml until something needs it"


def test_every_locked_package_has_hashes():
    entries = re.split(r"^(?=[A-Za-z0-9._-]+==)", LOCK, flags=re.MULTILINE)[1:]

    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_the_lock_names_no_index_and_no_address():
    assert not re.search(r"://|--index|--find-links|--trusted-host|--extra-index", LOCK)


def test_triple_des_stays_available():
    assert int(locked()["cryptography"].split(".")[0]) < 51
