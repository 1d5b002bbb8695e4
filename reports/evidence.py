"""The evidence of a run in one archive, with which its verdict can be checked later.

The same run gives the same bytes. `sha256sum -c MANIFEST.sha256` checks every member.
"""

import hashlib
import io
import json
import platform
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePosixPath

from reports.document import document_of
from reports.events import escaped_json, line_of
from reports.junit import junit_of
from reports.page import page_of
from reports.requirements import FEATURES
from reports.run import RecordedRun
from reports.words import headline_of
from simulator.client.shown.masking import Masking
from simulator.client.shown.step_texts import masked_step

MANIFEST = "MANIFEST.sha256"
TABLES = ("parameters.csv", "requirements.csv", "expectations.csv", "result-codes.csv")
TOOLS = ("sandgate", "pytest", "pytest-bdd", "msgspec", "jinja2")
# The first day a zip archive can hold: two archives of one run are identical.
_DAY = (1980, 1, 1, 0, 0, 0)


def evidence_of(
    run: RecordedRun, features: Path | None = None, secrets: Iterable[str] = ()
) -> bytes:
    """The zip archive of a run. `features` is their folder, or the shipped one; `secrets` are those
    of the target, which feature files of a user's own may hold.
    """
    members = dict(_members(run, features or FEATURES, Masking(*secrets)))
    sums = [f"{hashlib.sha256(content).hexdigest()}  {name}" for name, content in members.items()]
    members[MANIFEST] = ("\n".join(sums) + "\n").encode()
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name, _DAY), content, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def _members(run: RecordedRun, features: Path, masking: Masking) -> Iterator[tuple[str, bytes]]:
    yield "README.txt", _readme(run).encode()
    # The events once more: as they were read, without credentials and what was masked.
    yield "stream.jsonl", b"".join(map(line_of, run.events))
    yield "report.html", page_of(run).encode()
    yield "report.json", document_of(run)
    yield "report.xml", junit_of(run)
    yield "target.json", _json(_target(run))
    yield "versions.json", _json({"suite": run.began.version, **_versions()})
    for name in TABLES:
        yield f"spec/{name}", (FEATURES / "spec" / name).read_bytes()
    yield from _feature_texts(run, features, masking)


def _readme(run: RecordedRun) -> str:
    headline = headline_of(run)
    return (
        f"{headline.title}: {headline.words.strip()}\n\n"
        "report.html    the report to read, in any browser\n"
        "report.json    the same for machines\n"
        "report.xml     the same for build servers\n"
        "stream.jsonl   every verdict as it was given; the reports are made from it\n"
        "target.json    the target under test\n"
        "versions.json  the versions of the suite and its libraries\n"
        "spec           the tables of the specification\n"
        "features       the scenarios as they were run, your own masked\n\n"
        f"Check that nothing was changed: sha256sum -c {MANIFEST}\n"
    )


def _target(run: RecordedRun) -> Mapping[str, object]:
    began = run.began
    return {"base_url": began.base_url, "profile": began.profile, "offers": began.offers,
            "described_by": began.source}  # fmt: skip


def _versions() -> Mapping[str, str]:
    return {"python": platform.python_version()} | {name: _version(name) for name in TOOLS}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _feature_texts(
    run: RecordedRun, features: Path, masking: Masking
) -> Iterator[tuple[str, bytes]]:
    """Each feature file that a case names, once. Other files may be secret."""
    places = (features, features.parent)
    named = {name: None for case in run.cases if (name := case.file).endswith(".feature")}
    missing = []
    for name in named:
        found = next((place / name for place in places if (place / name).is_file()), None)
        if found is None:
            missing.append(name)
        else:
            yield _below_features(name), _feature_text(found, masking)
    if missing:
        yield "features/NOT-FOUND.txt", "\n".join([*missing, ""]).encode()


def _feature_text(path: Path, masking: Masking) -> bytes:
    """A shipped file as it is, which every reader has; one of a user's own without secrets."""
    content = path.read_bytes()
    if path.resolve().is_relative_to(FEATURES.resolve()):
        return content
    text = content.decode("utf-8", "surrogateescape")
    return masked_step(masking.text(text)).encode("utf-8", "surrogateescape")


def _below_features(name: str) -> str:
    """A name inside the archive that leads nowhere else when it is unpacked."""
    parts = [part for part in PurePosixPath(name).parts if part not in ("/", "//", "..")]
    return "/".join(["features", *parts[parts[:1] == ["features"] :]])


def _json(value: object) -> bytes:
    return escaped_json(json.dumps(value, indent=2, ensure_ascii=False).encode()) + b"\n"
