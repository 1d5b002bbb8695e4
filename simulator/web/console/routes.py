"""Every page of the console: one row each, with the right it needs."""

from falcon import HTTPRouteNotFound, Request, Response

from simulator.domain.console.rights import Right
from simulator.domain.ports.console import ConsolePorts
from simulator.web.console import administration as office
from simulator.web.console import (
    books,
    classes,
    hosts,
    journals,
    parties,
    recordings,
    settling,
    shell,
    stage,
    steering,
    views,
    webhooks,
    workbench,
)
from simulator.web.console.rendering import ASSETS, asset
from simulator.web.console.resources import SIGN_IN, ConsoleResource, ConsoleRow
from simulator.web.console.sign_in import HOME, INVITATIONS, InvitationResource, SignInResource
from simulator.web.console.visits import ConsoleReach
from simulator.web.http.route import Route

SANDBOX = "/console/{sandbox}"
PAYMENT = f"{SANDBOX}/payments/{{payment}}"
TOKENS = f"{SANDBOX}/merchants/{{merchant}}/tokens"
TOKEN = f"{TOKENS}/{{token}}"
EVENT = f"{SANDBOX}/webhooks/events/{{event}}"
ENDPOINT = f"{SANDBOX}/webhooks/endpoints/{{endpoint}}"
SETTLEMENT = f"{SANDBOX}/settlements/{{run}}"
PERSON = "/console/people/{person}"
INVITED = "/console/invited/{invitation}"
STORY = "/console/lessons/{story}"
CLASS = f"{classes.CLASSES}/{{group}}"
Row = ConsoleRow
# fmt: off
ROWS: tuple[ConsoleRow, ...] = (
    #   method  path                       right          what shows it
    Row("GET",  HOME,                      Right.READ,    views.show_home),
    Row("POST", "/console/host",           Right.READ,    hosts.choose_host),
    Row("GET",  f"{SANDBOX}/payments",     Right.READ,    views.show_payments),
    Row("GET",  PAYMENT,                   Right.READ,    views.show_payment),
    Row("GET",  f"{PAYMENT}/trace.svg",    Right.READ,    views.draw_trace),
    Row("POST", f"{PAYMENT}/act",          Right.OPERATE, views.act),
    Row("GET",  f"{SANDBOX}/search",       Right.READ,    views.find_anything),
    Row("GET",  f"{SANDBOX}/journal",      Right.READ,    journals.show_journal),
    Row("GET",  f"{SANDBOX}/journal/now",  Right.READ,    journals.show_journal_now, waits=True),
    Row("GET",  f"{SANDBOX}/journal/{{ndc}}", Right.READ, journals.show_exchange),
    Row("GET",  f"{SANDBOX}/webhooks",     Right.READ,    webhooks.show_webhooks),
    Row("GET",  EVENT,                     Right.READ,    webhooks.show_event),
    Row("POST", f"{EVENT}/resend",         Right.OPERATE, webhooks.resend),
    Row("POST", f"{ENDPOINT}/activate",    Right.OPERATE, webhooks.activate),
    Row("GET",  f"{SANDBOX}/inbox",        Right.READ,    webhooks.show_inbox),
    Row("POST", f"{SANDBOX}/inbox",        Right.OPERATE, webhooks.empty_inbox),
    Row("GET",  f"{SANDBOX}/scripts",      Right.READ,    steering.show_scripts),
    Row("POST", f"{SANDBOX}/scripts",      Right.OPERATE, steering.arm),
    Row("POST", f"{SANDBOX}/scripts/{{script}}/disarm", Right.OPERATE, steering.disarm),
    Row("GET",  f"{SANDBOX}/clock",        Right.READ,    steering.show_clock),
    Row("POST", f"{SANDBOX}/clock",        Right.OPERATE, steering.set_sandbox_clock),
    Row("POST", f"{SANDBOX}/clock/advance", Right.OPERATE, steering.advance_sandbox_clock),
    Row("GET",  f"{SANDBOX}/settlements",  Right.READ,    settling.show_settlements),
    Row("POST", f"{SANDBOX}/settlements",  Right.OPERATE, settling.settle),
    Row("GET",  SETTLEMENT,                Right.READ,    settling.show_settlement),
    Row("GET",  f"{SETTLEMENT}/picture.svg", Right.READ,  settling.draw_settlement),
    Row("GET",  f"{SANDBOX}/workbench",    Right.OPERATE, workbench.show_workbench),
    Row("POST", f"{SANDBOX}/workbench",    Right.OPERATE, workbench.use_workbench),
    Row("POST", f"{SANDBOX}/workbench/check", Right.OPERATE, workbench.check_now),
    Row("GET",  f"{SANDBOX}/shell",        Right.OPERATE, shell.show_shell),
    Row("POST", f"{SANDBOX}/shell",        Right.OPERATE, shell.run_line),
    Row("GET",  f"{SANDBOX}/checkouts",    Right.READ,    books.show_checkouts),
    Row("GET",  f"{SANDBOX}/registrations", Right.READ,   books.show_registrations),
    Row("GET",  f"{SANDBOX}/ledger",       Right.READ,    books.show_ledger),
    Row("GET",  f"{SANDBOX}/throttles",    Right.READ,    books.show_throttles),
    Row("GET",  f"{SANDBOX}/merchants",    Right.READ,    books.show_merchants),
    Row("GET",  f"{SANDBOX}/terminals",    Right.READ,    books.show_terminals),
    Row("GET",  f"{SANDBOX}/schedules",    Right.READ,    books.show_schedules),
    Row("GET",  f"{SANDBOX}/risk",         Right.READ,    books.show_risk),
    Row("GET",  f"{SANDBOX}/stage",        Right.READ,    stage.show_stage),
    Row("GET",  f"{SANDBOX}/stage/now",    Right.READ,    stage.show_stage_now, waits=True),
    Row("GET",  f"{SANDBOX}/stage/lesson.html", Right.READ, stage.save_lesson),
    Row("GET",  f"{SANDBOX}/stage/parties", Right.READ,   parties.show_parties_now),
    Row("GET",  f"{SANDBOX}/stage/phone/{{payment}}", Right.OPERATE, parties.show_phone),
    Row("POST", f"{SANDBOX}/stage/next",   Right.OPERATE, stage.next_step),
    Row("POST", f"{SANDBOX}/stage/back",   Right.OPERATE, stage.back),
    Row("POST", f"{SANDBOX}/stage/restart", Right.OPERATE, stage.begin_again),
    Row("POST", f"{SANDBOX}/stage/stops",  Right.OPERATE, stage.set_stops),
    Row("POST", f"{SANDBOX}/held/{{held}}", Right.OPERATE, stage.go_on),
    Row("POST", f"{SANDBOX}/recording",    Right.OPERATE, recordings.change_recording),
    Row("GET",  f"{SANDBOX}/recording.yaml", Right.OPERATE, recordings.save_recording),
    Row("POST", f"{SANDBOX}/recording/keep", Right.TEACH, recordings.keep_recording, Right.OPERATE),
    Row("GET",  f"{STORY}/file",           Right.TEACH,   recordings.save_story),
    Row("POST", f"{STORY}/remove",         Right.TEACH,   recordings.remove_story),
    Row("GET",  "/console/lessons",        Right.TEACH,   stage.show_lessons),
    Row("POST", "/console/lessons",        Right.TEACH,   stage.begin),
    Row("GET",  f"{SANDBOX}/tokens",       Right.READ,    office.show_tokens),
    Row("POST", TOKENS,                    Right.TOKENS,  office.issue_token),
    Row("POST", f"{TOKEN}/reveal",         Right.TOKENS,  office.reveal_token),
    Row("POST", f"{TOKEN}/state",          Right.TOKENS,  office.set_token_state),
    Row("POST", f"{TOKEN}/rotate",         Right.TOKENS,  office.rotate_token),
    Row("GET",  f"{SANDBOX}/start",        Right.READ,    stage.show_start),
    Row("POST", f"{SANDBOX}/start",        Right.OPERATE, stage.try_one),
    Row("GET",  classes.CLASSES,           Right.TEACH,   classes.show_classes),
    Row("POST", classes.CLASSES,           Right.TEACH,   classes.begin_class),
    Row("GET",  CLASS,                     Right.TEACH,   classes.show_class),
    Row("GET",  f"{CLASS}/now",            Right.TEACH,   classes.show_class_now),
    Row("POST", CLASS,                     Right.TEACH,   classes.act_on_class),
    Row("GET",  "/console/watch",          Right.READ,    classes.watch),
    Row("GET",  "/console/people",         Right.PEOPLE,  office.show_people),
    Row("POST", "/console/people",         Right.PEOPLE,  office.invite_by_form),
    Row("POST", f"{PERSON}/role",          Right.PEOPLE,  office.set_role),
    Row("POST", f"{PERSON}/remove",        Right.PEOPLE,  office.remove_by_form),
    Row("POST", f"{INVITED}/withdraw",     Right.PEOPLE,  office.withdraw_by_form),
    Row("GET",  "/console/audit",          Right.PEOPLE,  office.show_audit_log),
)
# fmt: on
# Forms that stand on a page which is not above their paths.
ELSEWHERE = {
    TOKENS: f"{SANDBOX}/tokens",
    f"{SANDBOX}/held": f"{SANDBOX}/stage",
    f"{SANDBOX}/recording": f"{SANDBOX}/stage",
    "/console/invited": "/console/people",
}


class AssetResource:
    """/console/assets/{name}"""

    def on_get(self, req: Request, resp: Response, name: str) -> None:
        """A file that the pages load."""
        if name not in ASSETS:
            raise HTTPRouteNotFound()
        resp.content_type = ASSETS[name]
        resp.set_header("Cache-Control", "public, max-age=3600")
        resp.data = asset(name)


def routes(console: ConsolePorts, reach: ConsoleReach) -> tuple[Route, ...]:
    """The rows of these paths, and the pages before them."""
    signing = SignInResource(console, reach)
    pages = {
        path: [row for row in ROWS if row.path == path]
        for path in dict.fromkeys(row.path for row in ROWS)
    }
    return (
        Route(SIGN_IN, signing),
        Route("/console/sign-out", signing, "out"),
        Route(f"{INVITATIONS}/{{secret}}", InvitationResource(console, reach)),
        Route(f"{classes.JOIN}/{{secret}}", classes.JoinResource(console, reach)),
        Route(f"{classes.BACK}/{{secret}}", classes.BackResource(console, reach)),
        Route("/console/assets/{name}", AssetResource()),
        *(
            Route(path, ConsoleResource(console, reach, rows, page_behind(path)))
            for path, rows in pages.items()
        ),
    )


def page_behind(path: str) -> str:
    """The page that has the form of a path: the one there, or the nearest above it; else none."""
    for above, page in ELSEWHERE.items():
        if f"{path}/".startswith(f"{above}/"):
            return page
    shown = {row.path for row in ROWS if row.method == "GET"}
    while path and path not in shown:
        path = path.rpartition("/")[0]
    return path
