"""The stage: a lesson step by step, what is held, and how it goes on."""

from collections.abc import Sequence
from secrets import token_hex
from typing import NamedTuple

from msgspec.structs import replace

from simulator.catalogue.console_words import say
from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.holding import STOPS, HeldMessage, Stop
from simulator.domain.journal.entries import Party
from simulator.domain.journal.trace import Arrow
from simulator.service.console.lessons import (
    StageView,
    await_change,
    begin_lesson,
    lesson_in,
    play_next,
    restart,
    stage_version,
    step_back,
    view_stage,
)
from simulator.service.console.recording import known_stories, note_answered
from simulator.service.console.trials import SHOP_PATH, TRIALS, TrialRow, try_payment_in
from simulator.service.holding import answers_at, let_go, set_breakpoints
from simulator.web.console.hosts import refuse_to_empty, refuse_to_let_go
from simulator.web.console.rendering import (
    INSET,
    STAGE_POLICY,
    Download,
    Moved,
    Part,
    ShownPage,
    as_json,
    asset,
)
from simulator.web.console.resources import drawn_for, frame_of, with_visit
from simulator.web.console.views import describe
from simulator.web.console.visits import ConsoleVisit

HEADS = (
    Party.SHOPPER, Party.MERCHANT, Party.GATEWAY, Party.RISK_SYSTEM, Party.DIRECTORY_SERVER,
    Party.ACQUIRER, Party.WEBHOOK,
)  # fmt: skip
# Where the stage is folded, one party stands for two.
FOLDED = {Party.ACS: Party.DIRECTORY_SERVER}
# Where the token of the reader stands in what is drawn for all: no text of a merchant can say it.
TOKEN_PLACE = token_hex(32)
NAMES = {Party.DIRECTORY_SERVER: "3-D Secure", Party.WEBHOOK: "webhooks"}


class StageMessage(NamedTuple):
    """A message on the stage: its columns from 1, and what stands beside it."""

    arrow: Arrow
    left: int
    right: int
    points: str

    @property
    def text(self) -> str:
        """What it said. It is written down as the page comes to it, which is made in turns."""
        return as_json(self.arrow.body) if self.arrow.body else ""


class StageHeld(NamedTuple):
    """A held message, and what it may be answered with."""

    message: HeldMessage
    way: str
    dropped: str
    answers: Sequence[str]


def show_lessons(visit: ConsoleVisit) -> ShownPage:
    """The stories that can be played."""
    kept = {each.id for each in visit.console.recordings.stories()}
    return ShownPage("lessons.html", {"stories": known_stories(visit.console), "kept": kept})


def begin(visit: ConsoleVisit) -> Moved:
    """Begin a lesson, and go to its stage."""
    lesson = begin_lesson(visit.console, visit.form.get("story", ""))
    return Moved(f"/console/{lesson.sandbox}/stage")


def show_stage(visit: ConsoleVisit) -> ShownPage:
    """The stage of a sandbox, drawn once a second for all who open it."""
    sandbox, is_folded = visit.sandbox(), visit.asked("unfold") != "1"
    second = int(visit.console.server.clock.now().timestamp())
    version = f"{stage_version(visit.console, sandbox.id)}-{second}"
    now = _drawn_once(visit, f"{sandbox.id} at once", version)
    values = {"sandbox": sandbox, "is_folded": is_folded, "now": INSET}
    return ShownPage("stage.html", values, policy=STAGE_POLICY, inset=now)


def show_stage_now(visit: ConsoleVisit) -> Part:
    """What the stage shows, as soon as it is no longer as the page that asks has it. It is drawn
    once for all who look: only the token of their forms is their own.
    """
    sandbox = visit.sandbox().id
    await_change(visit.console, sandbox, visit.asked("after")[:300])
    return Part(_drawn_once(visit, sandbox, stage_version(visit.console, sandbox)))


def save_lesson(visit: ConsoleVisit) -> Download:
    """The lesson as one file: its steps and messages, without a button."""
    lesson = lesson_in(visit.console, visit.sandbox().id)
    values = {**_values(visit), "is_file": True, "css": asset("console.css").decode()}
    return Download(f"{lesson.name}.html", ShownPage("lesson_file.html", values))


def next_step(visit: ConsoleVisit) -> Moved:
    """Play the next step, once however often its key is pressed."""
    after = visit.form.get("after", "")
    play_next(visit.console, visit.sandbox().id, visit.name, after=after)
    return _to_stage(visit)


def back(visit: ConsoleVisit) -> Moved:
    """Take the last step back."""
    refuse_to_empty(visit, visit.sandbox())
    step_back(visit.console, visit.sandbox().id)
    return _to_stage(visit)


def begin_again(visit: ConsoleVisit) -> Moved:
    """Take every step back."""
    refuse_to_empty(visit, visit.sandbox())
    restart(visit.console, visit.sandbox().id)
    return _to_stage(visit)


def show_start(visit: ConsoleVisit) -> ShownPage:
    """What can be done in a sandbox, for those who see it for the first time."""
    return ShownPage("start.html", {"sandbox": visit.sandbox(), "trials": _trials_here()})


def try_one(visit: ConsoleVisit) -> Moved:
    """Take a first payment, and show it."""
    sandbox, name = visit.sandbox().id, visit.form.get("name", "")
    if name not in _trials_here():
        raise InvalidInputError("name", ", ".join(_trials_here()), beginning_of(name, 40))
    visit.refuse_changes(visit.host)
    said = str(say("recording.first_payment", what=say(f"start.{name}")))
    shop = f"{visit.origin}{SHOP_PATH}"
    tried = try_payment_in(
        visit.console, sandbox, name, shop=shop, by=visit.name, say=said, host=visit.host
    )
    if not tried.payment:
        return Moved(f"/console/{tried.sandbox}/journal")
    return Moved(f"/console/{tried.sandbox}/payments/{tried.payment}")


def set_stops(visit: ConsoleVisit) -> Moved:
    """Hold messages at the parties that are ticked."""
    sandbox = visit.sandbox()
    set_breakpoints(
        visit.console.server, sandbox.id, [stop for stop in Stop if stop.value in visit.form]
    )
    visit.console.stages.notify(sandbox.id)
    return _to_stage(visit)


def go_on(visit: ConsoleVisit) -> Moved:
    """Let a held message go on: as it is, answered, or not at all."""
    refuse_to_let_go(visit, visit.ids["held"])
    action, behaviours = visit.form.get("action", ""), visit.console.behaviours
    answer = visit.form.get("answer", "") if action == "answer" else ""
    message = let_go(visit.ports(), visit.ids["held"], action, answer=answer, behaviours=behaviours)
    if answer:
        note_answered(visit.console, visit.sandbox().id, message.stop, answer, by=visit.name)
    return _to_stage(visit)


def _drawn_once(visit: ConsoleVisit, place: str, version: str) -> str:
    sign_in, person = visit.signed
    seen = f"{person.role} {visit.only_reads} {sign_in.changes_live}"
    key = f"{version} {seen} {visit.asked('unfold') != '1'}"
    html = visit.console.stages.drawn(place, key, lambda: _draw(visit))
    return html.replace(TOKEN_PLACE, sign_in.form_token)


def _draw(visit: ConsoleVisit) -> str:
    sign_in = replace(visit.signed.sign_in, form_token=TOKEN_PLACE)
    anybody = visit._replace(signed=visit.signed._replace(sign_in=sign_in))
    return drawn_for(visit, with_visit(ShownPage("stage_now.html", _values(visit)), anybody))


def _trials_here() -> dict[str, TrialRow]:
    return {name: row for name, row in TRIALS.items() if not row.has_own_sandbox}


def _values(visit: ConsoleVisit) -> dict[str, object]:
    sandbox, view = visit.sandbox(), view_stage(visit.console, visit.ids["sandbox"])
    is_folded = visit.asked("unfold") != "1"
    heads = _heads(view, is_folded=is_folded)
    frames = () if view.lesson is None else view.lesson.frames
    return {
        "sandbox": sandbox,
        "view": view,
        "lesson": view.lesson,
        "frame": frame_of(visit, sandbox),
        "is_folded": is_folded,
        "is_file": False,
        "heads": [_name_of(party, is_folded=is_folded) for party in heads],
        "frames": [(each, _drawn(each.arrows, heads, is_folded=is_folded)) for each in frames],
        "left_out": sum(each.left_out for each in frames),
        "under_way": _drawn(view.arrows, heads, is_folded=is_folded),
        "held": [_drawn_held(visit, each) for each in view.held],
        "stops": [(stop, row, stop in sandbox.breakpoints) for stop, row in STOPS.items()],
        "describe": describe,
        "recording": visit.console.recordings.recording(sandbox.id),
    }


def _heads(view: StageView, *, is_folded: bool) -> list[Party]:
    """The parties on the stage, in order: the seven, and others that send or receive something."""
    frames = () if view.lesson is None else view.lesson.frames
    arrows = [*view.arrows, *(arrow for frame in frames for arrow in frame.arrows)]
    seen = {party for arrow in arrows for party in (arrow.sender, arrow.receiver)}
    wanted = {_place_of(party, is_folded=is_folded) for party in seen | set(HEADS)}
    return [party for party in Party if party in wanted]


def _drawn(
    arrows: Sequence[Arrow], heads: Sequence[Party], *, is_folded: bool
) -> list[StageMessage]:
    found = []
    for arrow in arrows:
        sender = heads.index(_place_of(arrow.sender, is_folded=is_folded)) + 1
        receiver = heads.index(_place_of(arrow.receiver, is_folded=is_folded)) + 1
        points = "itself" if sender == receiver else "right" if sender < receiver else "left"
        left, right = sorted((sender, receiver))
        found.append(StageMessage(arrow, left, right, points))
    return found


def _drawn_held(visit: ConsoleVisit, message: HeldMessage) -> StageHeld:
    row = STOPS[message.stop]
    answers = answers_at(message.stop, visit.console.behaviours)
    return StageHeld(message, f"{row.sender} → {row.receiver}", row.dropped, answers)


def _place_of(party: Party, *, is_folded: bool) -> Party:
    return FOLDED.get(party, party) if is_folded else party


def _name_of(party: Party, *, is_folded: bool) -> str:
    return NAMES.get(party, party.value) if is_folded else party.value


def _to_stage(visit: ConsoleVisit) -> Moved:
    return Moved(f"/console/{visit.ids['sandbox']}/stage")
