"""What the project asks for, and the lock of it. The wheel: test_wheel.py."""

import re
import tomllib

from simulator.tests.kit.trees import ROOT, sources
from simulator.tests.project.test_readme import PAGES

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


# Spelled apart, so that this module does not name what it looks for.
FROM_AN_INDEX = re.compile(r"install [^`\n]*?(?<![\w./-])'?" r"sandgate(?:\[|'|`|$)", re.MULTILINE)


def test_no_page_and_no_message_installs_sandgate_from_an_index():
    """No index has it; simulator/client/extras.py makes the command that works."""
    pages = {page.relative_to(ROOT).as_posix(): page.read_text("utf-8") for page in PAGES}
    modules = {source.path: source.text for source in sources() if not source.is_test}

    found = [name for name, text in (pages | modules).items() if FROM_AN_INDEX.search(text)]

    assert found == []


def test_the_page_about_installing_lists_every_extra():
    extras = set(PROJECT["optional-dependencies"]) - {"dev"}
    page = (ROOT / "docs/how-to/install.md").read_text("utf-8")
    listed = re.findall(r"^\| `(\w+)` \|", page.partition("## Extras")[2], re.MULTILINE)

    assert sorted(listed) == sorted(extras)


def test_triple_des_stays_available():
    assert int(locked()["cryptography"].split(".")[0]) < 51
