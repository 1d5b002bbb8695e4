"""Classes: the trainer's page with a tile for each participant, and the page that joins."""

from collections.abc import Mapping

from falcon import Request, Response

from scenarios.errors import ScriptError
from simulator.catalogue.console_words import plain
from simulator.client.shown.beginnings import beginning_of
from simulator.domain.console.classes import NAME_LENGTH_MAX, TrainingClass
from simulator.domain.console.marks import MARK, MARK_LENGTH
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.merchants.hierarchy import SEED_MAX
from simulator.domain.merchants.tokens import token_hash
from simulator.domain.ports.console import ConsolePorts
from simulator.service.console import classes as using
from simulator.service.console.joining import AskedPlace, join_class
from simulator.service.console.named import offered_sandboxes
from simulator.service.console.sign_in import signed_in
from simulator.service.console.ways_back import come_back, offer_way_back, participant_of
from simulator.service.sandboxes.sandboxes import sandbox_with
from simulator.web.console.hosts import refuse_to_empty
from simulator.web.console.rendering import Moved, ShownPage, show_page, typed_again
from simulator.web.console.resources import move, said_of, with_errors
from simulator.web.console.visits import ConsoleReach, ConsoleVisit, form_in, secret_in, set_secret

CLASSES = "/console/classes"
JOIN, BACK = "/console/join", "/console/back"
QR_SCALE = 5
SEED = "7"
# The fields of the form that begins a class, and what stands beside them.
LABELS: Mapping[str, str] = {
    "seed": "class.seed_the_same_numbers",
    "stage": "class.sandbox_whose_stage_spectators",
    "like": "class.like",
}


def show_classes(visit: ConsoleVisit) -> ShownPage:
    """The classes of this gateway, and the form that begins one."""
    return _classes_page(visit, {"seed": SEED, "stage": visit.asked("stage")}, None)


def begin_class(visit: ConsoleVisit) -> ShownPage:
    """Begin a class, and show its link, which the same form alone shows again; or the form as it
    was filled in, with what is refused of it. Choice: D-702.
    """
    try:
        asked = _asked_in(visit.form)._replace(secret=_secret_of_form(visit))
        begun, secret = using.begin_class(visit.console, visit.name, asked)
    except InvalidInputError as error:
        return _classes_page(visit, visit.form, error)._replace(status=400)
    return _show_link(visit, begun.id, secret)


def _secret_of_form(visit: ConsoleVisit) -> str:
    """The secret of the link of the class that a form begins; none of a form without a mark."""
    mark, form_token = visit.form.get("mark", ""), visit.signed.sign_in.form_token
    return token_hash(f"class {form_token} {mark}") if MARK.fullmatch(mark) else ""


def _asked_in(form: Mapping[str, str]) -> using.AskedClass:
    seed = form.get("seed", "1")
    if not (seed.isascii() and seed.isdigit() and len(seed) < 17 and int(seed) <= SEED_MAX):
        raise InvalidInputError("seed", plain("errors.seed", most=SEED_MAX), beginning_of(seed, 40))
    stage, like = (form.get(name, "").strip()[:40] for name in ("stage", "like"))
    return using.AskedClass(stage, int(seed), like, with_data="data" in form)


def _classes_page(
    visit: ConsoleVisit, filled: Mapping[str, str], error: InvalidInputError | None
) -> ShownPage:
    values = {
        "classes": using.current_classes(visit.console),
        "filled": {name: typed_again(filled.get(name, "")) for name in LABELS},
        "has_data": "data" in filled,
        "refused": "" if error is None else error.where,
        "said": "" if error is None else said_of(error, LABELS),
        "offered": offered_sandboxes(visit.console),
        "mark": visit.console.server.ids.hex(MARK_LENGTH),
    }
    return ShownPage("classes.html", values)


def _show_link(visit: ConsoleVisit, group: str, secret: str, back_to: str = "") -> ShownPage:
    """A link, shown this once: that of the class, or the way back of the participant named."""
    link = f"{visit.shared}{BACK if back_to else JOIN}/{secret}"
    values = {"group": group, "link": link, "code": _qr_code(link), "participant": back_to}
    return ShownPage("class_link.html", values)


def _qr_code(link: str) -> str:
    import segno  # Its tables take as long as a tenth of a start; few gateways have a class.

    drawn = segno.make(link, micro=False)
    return str(drawn.svg_data_uri(scale=QR_SCALE, border=4, light="white"))


def show_class(visit: ConsoleVisit) -> ShownPage:
    """A tile for each participant, and what was armed."""
    values = _values(visit)
    armed = visit.asked("armed")
    values["armed"] = armed if armed in visit.console.behaviours else ""
    return ShownPage("class.html", values)


def show_class_now(visit: ConsoleVisit) -> ShownPage:
    """The tiles alone, for the page that asks for them again and again."""
    return ShownPage("class_now.html", _values(visit))


def act_on_class(visit: ConsoleVisit) -> Moved | ShownPage:
    """Stop the clocks of all or let them go on, empty all, arm a behaviour in all, let one come
    back, or end it.
    """
    console, found = visit.console, using.class_with(visit.console, visit.ids["group"])
    match visit.form.get("deed", ""):
        case "freeze":
            using.freeze_all(console, found)
        case "run":
            using.run_all(console, found)
        case "reset":
            _refuse_to_empty(visit, found)
            using.reset_all(console, found)
        case "arm":
            _arm(visit)
            return Moved(f"{CLASSES}/{found.id}?armed={visit.form['behaviour']}")
        case "show":
            using.show_to_spectators(console, found, visit.form.get("sandbox", ""))
        case "back":
            return _offer_way_back(visit, found)
        case "end":
            _refuse_to_empty(visit, found)
            using.end_class(console, found)
            return Moved(CLASSES)
        case other:
            raise InvalidInputError(
                "deed", "freeze, run, reset, arm, show, back, end", beginning_of(other, 20)
            )
    return Moved(f"{CLASSES}/{found.id}")


def _refuse_to_empty(visit: ConsoleVisit, found: TrainingClass) -> None:
    for each in using.sandboxes_of(visit.console, found):
        refuse_to_empty(visit, sandbox_with(visit.console.server, each))


def _offer_way_back(visit: ConsoleVisit, found: TrainingClass) -> ShownPage:
    person = visit.form.get("person", "")
    secret = offer_way_back(visit.console, found, visit.name, person)
    name = next(each.name for each in found.participants if each.person == person)
    return _show_link(visit, found.id, secret, name)


def watch(visit: ConsoleVisit) -> Moved:
    """Go on to the stage that a participant or spectator sees now; others begin at the start."""
    own = visit.signed.person.sandbox
    return Moved(f"/console/{own}/stage" if own else "/console")


class JoinResource:
    """/console/join/{secret}: the page behind the link of a class."""

    def __init__(self, console: ConsolePorts, reach: ConsoleReach):
        self._console, self._reach = console, reach

    def on_get(self, req: Request, resp: Response, secret: str) -> None:
        """Ask for a name."""
        with_errors(self._console, resp, lambda: self._show(req, resp, secret, None))

    def on_post(self, req: Request, resp: Response, secret: str) -> None:
        """Join, and go to the stage."""
        with_errors(self._console, resp, lambda: self._join(req, resp, secret))

    def _show(
        self, req: Request, resp: Response, secret: str, error: InvalidInputError | None
    ) -> None:
        """The form; with an error again, and what is refused."""
        self._reach.refuse_unsafe(req)
        found = using.class_of_link(self._console, secret)
        here = signed_in(self._console, secret_in(req, self._reach))
        if here is not None and found.has(here.person.name):
            # Another place would leave the one they have, with all that is in it.
            move(resp, f"/console/{here.person.sandbox}/stage")
            return
        values = {
            "found": found,
            "path": f"{JOIN}/{secret}",
            "length_max": NAME_LENGTH_MAX,
            "mark": self._console.server.ids.hex(MARK_LENGTH),
            "said": "" if error is None else said_of(error, {"name": "class.your_name"}),
        }
        show_page(resp, ShownPage("join.html", values, 200 if error is None else 400))

    def _join(self, req: Request, resp: Response, secret: str) -> None:
        self._reach.refuse_unsafe(req)
        form = form_in(req, self._reach)
        found, watches = using.class_of_link(self._console, secret), form.get("as") == "spectator"
        try:
            asked = AskedPlace(form.get("name", ""), watches, form.get("mark", ""))
            joined = join_class(self._console, secret, asked)
        except InvalidInputError as error:
            self._show(req, resp, secret, error)
            return
        set_secret(req, resp, self._reach, joined.sign_in.secret, group=found.id)
        page = "stage" if joined.participant.is_spectator else "start"
        move(resp, f"/console/{joined.participant.sandbox}/{page}")


class BackResource:
    """/console/back/{secret}: the page behind the way back of a participant."""

    def __init__(self, console: ConsolePorts, reach: ConsoleReach):
        self._console, self._reach = console, reach

    def on_get(self, req: Request, resp: Response, secret: str) -> None:
        """Ask whether they are meant: a program that looks at links does not use it up."""
        with_errors(self._console, resp, lambda: self._show(req, resp, secret))

    def on_post(self, req: Request, resp: Response, secret: str) -> None:
        """Sign in again, and go to the stage."""
        with_errors(self._console, resp, lambda: self._come_back(req, resp, secret))

    def _show(self, req: Request, resp: Response, secret: str) -> None:
        self._reach.refuse_unsafe(req)
        _, participant = participant_of(self._console, secret)
        values = {"path": f"{BACK}/{secret}", "name": participant.name}
        show_page(resp, ShownPage("come_back.html", values))

    def _come_back(self, req: Request, resp: Response, secret: str) -> None:
        self._reach.refuse_unsafe(req)
        form_in(req, self._reach)
        found, _ = participant_of(self._console, secret)
        back = come_back(self._console, secret)
        set_secret(req, resp, self._reach, back.sign_in.secret, group=found.id)
        move(resp, f"/console/{back.participant.sandbox}/stage")


def _arm(visit: ConsoleVisit) -> None:
    console, found = visit.console, using.class_with(visit.console, visit.ids["group"])
    try:
        using.arm_all(console, found, visit.form.get("behaviour", ""), console.behaviours)
    except ScriptError as error:
        raise InvalidInputError("behaviour", error.expected, error.got) from None


def _values(visit: ConsoleVisit) -> dict[str, object]:
    found = using.class_with(visit.console, visit.ids["group"])
    return {
        "found": found,
        "tiles": using.tiles_of(visit.console, found),
        "spectators": [each for each in found.participants if each.is_spectator],
        "behaviours": sorted(visit.console.behaviours),
    }
