"""Which modules of the gateway are mutated, and the capability that each belongs to."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[3]
# What a client of the merchant API can see is decided here.
MUTATED = (
    "simulator/grammar", "simulator/catalogue", "simulator/derive", "simulator/domain",
    "simulator/service", "simulator/web", "acquirer_mocks",
)  # fmt: skip
TESTS = "*/tests/*"
# What no client of the specification meets, and the texts that it may word as it likes.
LEFT_OUT: Mapping[str, str] = {
    TESTS: "tests",
    "*/console/*": "the console is ours",
    "simulator/web/control/*": "the control API is ours",
    "simulator/service/sandboxes/*": "sandboxes and their clock are ours",
    "simulator/d*/documents*": "documents about the gateway",
    "simulator/derive/explain/*": "texts of `sandgate explain`",
    "simulator/derive/openapi/*": "the description of the API",
    "simulator/derive/schemas/*": "the description of the API",
    "simulator/derive/templates/*": "the description of the API",
    "simulator/derive/checks/samples.py": "samples of values, for documents and tests",
    "simulator/*/acquiring/reconciliation.py": "the comparison of ledgers is ours",
    "simulator/domain/throttling/tables.py": "limits come by the control API, which is ours",
    "simulator/*/webhooks/triggers.py": "events on demand are ours",
    "simulator/web/redirects/bank_page.py": "a page of the test bank, for people",
    "acquirer_mocks/three_d_secure/pages.py": "pages of the test bank, for people",
    "simulator/*/journal*": "the journal is ours",
    "simulator/*/holding.py": "held messages are ours",
    "simulator/*/lessons.py": "lessons are ours",
    "simulator/*/scripts.py": "scripts are ours",
    "simulator/*/transport.py": "faults of the connection are ours",
    "simulator/domain/steering/*": "the words of scripts are ours",
    "simulator/domain/ports/*": "signatures without a rule",
    "simulator/domain/core/ports.py": "signatures without a rule",
    "simulator/domain/copies.py": "sandboxes are copied by the control API, which is ours",
    "simulator/domain/story_run.py": "stories are ours",
    "simulator/domain/snapshots.py": "snapshots are ours",
    "simulator/domain/*restored.py": "snapshots are ours",
    "simulator/*/diagram.py": "pictures for people",
    "simulator/domain/settlement/picture.py": "pictures for people",
    "simulator/web/api_description.py": "the description of the API",
    "simulator/web/docs_pages.py": "the description of the API",
    "simulator/web/landing.py": "a page for people",
    "simulator/web/trials.py": "trials on the pages of the API",
    "simulator/web/health.py": "for operators",
    "simulator/web/http/journaling.py": "the journal is ours",
    "simulator/web/http/counting.py": "for operators",
    "simulator/catalogue/fields/*": "rows of fields: computed mutants cover them",
    "simulator/catalogue/decisions/*": "texts",
    "simulator/catalogue/sources/*": "texts",
    "simulator/catalogue/form_words/*": "texts",
    "simulator/catalogue/engineering.py": "texts",
    "simulator/catalogue/test_cards.py": "test cards are ours",
    "simulator/grammar/decisions.py": "texts",
    "simulator/grammar/choices.py": "settings of sandboxes are ours",
    "simulator/domain/merchants/names.py": "entities are made by the control API, which is ours",
    "simulator/domain/merchants/sftp.py": "access to the file server is given by the control API",
    "simulator/grammar/version.py": "texts",
    "acquirer_mocks/line_faults.py": "faults by script are ours",
    "acquirer_mocks/settlement/fault*": "faults by script are ours",
    "acquirer_mocks/settlement/planting.py": "faults by script are ours",
    "acquirer_mocks/*/steering.py": "faults by script are ours",
    "acquirer_mocks/*/write_schemas.py": "a program for maintainers",
    "*/__init__.py": "no code",
}  # fmt: skip
FLOORS = 2


def mutated_modules() -> Iterator[str]:
    """The path of every module that is mutated, from the root of the repository."""
    for name in gateway_modules():
        if not any(fnmatch(name, pattern) for pattern in LEFT_OUT):
            yield name


def gateway_modules() -> Iterator[str]:
    """The path of every module of the gateway and its simulators, also of those left out."""
    for folder in MUTATED:
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not fnmatch(name, TESTS):
                yield name


def capability_of(module: str) -> str:
    """The capability that a module belongs to: the same name on every floor."""
    parts = module.removesuffix(".py").split("/")
    if parts[0] == "acquirer_mocks":
        return f"simulators/{parts[1] if len(parts) > FLOORS else 'parties'}"
    if parts[1] in ("grammar", "catalogue", "derive"):
        return f"rules/{parts[1]}"
    return {"challenges": "three_d_secure", "api": "http"}.get(parts[2], parts[2])


def modules_by_capability() -> Mapping[str, list[str]]:
    """The mutated modules of each capability."""
    apart: defaultdict[str, list[str]] = defaultdict(list)
    for module in mutated_modules():
        apart[capability_of(module)].append(module)
    return apart
