"""The workbench: a form made from the rows of an operation, its answer, and its copies."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from markupsafe import Markup

from simulator.catalogue.console_words import plain, say
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.client.shown.beginnings import beginning_of
from simulator.derive.schemas.examples import EXAMPLES, PAYMENT
from simulator.domain.console.recording import HISTORY_MAX, Deed
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.masking.refusals import refuse_secrets
from simulator.grammar.operations import Operation
from simulator.grammar.parameters import REQUIRED, Param
from simulator.service.console.bench import workbench as using
from simulator.service.console.bench.beginnings import beginnings_of
from simulator.service.console.bench.copies import SentRequest, copies_of
from simulator.service.console.lessons import facts_of
from simulator.service.console.recording import note_call
from simulator.web.console.rendering import ShownPage, render, shown_json, typed_again
from simulator.web.console.resources import said_of
from simulator.web.console.views import describe, number_in
from simulator.web.console.visits import ConsoleVisit

FIRST = "create_payment"
FIELD = "v:"
# Where in the form a refused value stands.
LABELS: Mapping[str, str] = {
    "id": "workbench.id_in_the_path",
    "more": "workbench.more_parameters_one_a",
}


def show_workbench(visit: ConsoleVisit) -> ShownPage:
    """The form of an operation, with the values of an example."""
    visit.sandbox()
    identity = visit.asked("operation", FIRST)[:60]
    using.operation_with(identity)
    examples = EXAMPLES.get(identity, {})
    chosen = visit.asked("example", next(iter(examples), ""))[:60]
    sent = _to_be_sent(examples[chosen].sent) if chosen in examples else {}
    again = _again(visit) if visit.asked("again") else None
    if again is not None and again.operation == identity:
        return _page(visit, identity, again.sent, about=again.about, example="")
    return _page(visit, identity, sent, about="", example=chosen)


def _to_be_sent(sent: Mapping[str, str]) -> dict[str, str]:
    """The values of an example; an id that no sandbox has is left to who fills in the form."""
    return {name: "" if value == PAYMENT else value for name, value in sent.items()}


def use_workbench(visit: ConsoleVisit) -> ShownPage:
    """Check what was typed, or send it; or the form as it was filled in, with what is refused.
    Raises UnknownSandboxError before anything is read of the form.
    """
    visit.sandbox()
    operation = using.operation_with(visit.form.get("operation", ""))
    try:
        return _used(visit, operation)
    except InvalidInputError as error:
        return _refused(visit, operation, error)


def _used(visit: ConsoleVisit, operation: Operation) -> ShownPage:
    form, sandbox, identity = visit.form, visit.sandbox().id, operation.id
    about = form.get("about", "").strip()
    refuse_secrets(about, "id")
    using.path_of(operation, about)
    sent = _sent_in(form)
    found: dict[str, Any] = {
        "violations": using.violations_of(visit.console, sandbox, identity, sent)
    }
    if form.get("deed") == "send":
        visit.refuse_changes(visit.host)
        # The request itself changes what there was before it.
        beginnings = beginnings_of(visit.ports(), (about, *sent.values()), visit.aside)
        call, answer = using.send_request(
            visit.console, sandbox, identity, about=about, sent=sent, host=visit.host
        )
        said = str(say("workbench.operation_said", operation=identity))
        note_call(
            visit.console, sandbox, call, answer,
            by=visit.name, say=said, operation=identity, about=about,
        )  # fmt: skip
        found["answer"] = answer
        is_json = isinstance(answer.body, dict | list)
        found["shown"] = visit.aside(shown_json, answer.body) if is_json else ""
        facts = facts_of(visit.console, sandbox, visit.host)
        request = SentRequest(operation, about, sent, beginnings)
        copies = copies_of(facts, request, answer, visit.ports(), aside=visit.aside)
        found["copies"] = copies._asdict()
    page = _page(visit, identity, sent, about=about, example="")
    return page._replace(values={**page.values, **found})


def _refused(visit: ConsoleVisit, operation: Operation, error: InvalidInputError) -> ShownPage:
    """The form with what may be repeated of what was typed."""
    form = visit.form
    fields = {
        name.removeprefix(FIELD): value
        for name, value in form.items()
        if name.startswith(FIELD) and typed_again(name)
    }
    page = _page(visit, operation.id, fields, about=typed_again(form.get("about", "")), example="")
    kept = {"more": _lines_again(form.get("more", "")), "refused": said_of(error, LABELS)}
    return page._replace(values={**page.values, **kept}, status=400)


def _lines_again(text: str) -> str:
    """The lines of more parameters; a value stands in the form of who typed it, as in a field."""
    lines = [(line, line.partition("=")[0] if "=" in line else line) for line in text.splitlines()]
    return "\n".join(line for line, shown in lines if typed_again(shown) == shown)


def check_now(visit: ConsoleVisit) -> ShownPage:
    """What the gateway would refuse of what is typed, for the page that asks while it is typed."""
    sandbox, form = visit.sandbox().id, visit.form
    operation = using.operation_with(form.get("operation", ""))
    values: dict[str, object] = {"violations": None, "refused": ""}
    try:
        sent = _sent_in(form)
    except InvalidInputError as error:
        values["refused"] = said_of(error, LABELS)
    else:
        values["violations"] = using.violations_of(visit.console, sandbox, operation.id, sent)
    return ShownPage("workbench_check.html", values)


def _page(
    visit: ConsoleVisit, identity: str, sent: Mapping[str, str], *, about: str, example: str
) -> ShownPage:
    operation = using.operation_with(identity)
    rows = using.rows_of(operation)
    values = {
        "sandbox": visit.sandbox(),
        "operations": list(OPERATIONS),
        "operation": operation,
        "examples": EXAMPLES.get(identity, {}),
        "example": example,
        "about": about,
        "has_id": using.PLACE in operation.path,
        "fields": sent or dict.fromkeys(_first_needed(rows), ""),
        "notes": _notes_of(rows),
        "known": _known_to(identity),
        "violations": None,
        "refused": "",
        "more": "",
        "answer": None,
        "copies": None,
        "shown": "",
        "history": visit.console.recordings.history(visit.sandbox().id).deeds,
        "describe": describe,
    }
    return ShownPage("workbench.html", values)


def _notes_of(rows: Sequence[Param]) -> dict[str, str]:
    return {row.name: f"{row.need}: {row.note or row.format.kind}" for row in rows}


@cache
def _known_to(identity: str) -> tuple[int, Markup]:
    """How many parameters an operation knows, and all of them as HTML, which is most of the page
    and always the same.
    """
    rows = using.rows_of(using.operation_with(identity))
    known = sorted({name for row in rows for name in row.concrete_names})
    page = ShownPage("workbench_known.html", {"known": known, "notes": _notes_of(rows)})
    return len(known), Markup(render(page))  # noqa: S704


def _again(visit: ConsoleVisit) -> Deed | None:
    """The request that was sent before and is asked for again."""
    place = number_in(visit.asked("again"), HISTORY_MAX)
    deeds = visit.console.recordings.history(visit.sandbox().id).deeds
    return deeds[place] if place < len(deeds) else None


def _first_needed(rows: Sequence[Param]) -> list[str]:
    return [row.name for row in rows if row.need == REQUIRED and row.name != "entityId"]


def _sent_in(form: Mapping[str, str]) -> dict[str, str]:
    """The parameters that were typed: fields, and lines of name=value. Raises InvalidInputError,
    also for a name that may be a secret: pages show names. Choice: D-661.
    """
    sent = {
        name.removeprefix(FIELD): value
        for name, value in form.items()
        if name.startswith(FIELD) and value
    }
    for line in form.get("more", "").splitlines():
        name, equals, value = line.strip().partition("=")
        if not line.strip():
            continue
        if not equals or not name:
            raise InvalidInputError("more", plain("errors.line"), beginning_of(line.strip(), 20))
        sent[name.strip()] = value.strip()
    for name in sent:
        refuse_secrets(name, "parameter")
    return sent
