"""The control API, for clients that have the key of a server or of a sandbox."""

from collections.abc import Mapping
from copy import copy
from io import BytesIO
from typing import Any
from urllib.parse import quote, urlencode

from simulator.client.control_calls import Answered, ControlCalls, TerminalKeyCalls
from simulator.client.pictures import checked_picture
from simulator.client.wire import ANSWERED_S_MAX, Interceptor, Writable


class Control:
    """The control API: sandboxes and the scripts armed in them."""

    def __init__(
        self,
        control_url: str,
        control_key: str,
        *,
        timeout_s: float = ANSWERED_S_MAX,
        ca_file: str | None = None,
        around: Interceptor | None = None,
    ):
        __tracebackhide__ = True
        self._calls = ControlCalls(
            control_url, control_key, timeout_s=timeout_s, ca_file=ca_file, around=around
        )
        self._ask = self._calls.ask

    def on_own_connection(self) -> "Control":
        """The same with a connection of its own, which has to be closed."""
        other = copy(self)
        other._calls = self._calls.on_own_connection()
        other._ask = other._calls.ask
        return other

    @property
    def terminal_keys(self) -> TerminalKeyCalls:
        """The keys of terminals, and how they get there."""
        return TerminalKeyCalls(self._calls)

    @property
    def console_url(self) -> str:
        """The address of the console, for people."""
        return f"{self._calls.base_url.partition('_sandbox/')[0]}console"

    def create_sandbox(self, **options: Any) -> Mapping[str, Any]:
        """A new sandbox: `id`, `token`, `entity_id`, `control_key` and `entities`.

        Options are `profile`, `overrides`, `clock`, `seed`, `throttle`, `live_throttle` and
        `merchants`; without any there is one merchant with one channel.
        """
        return self._ask("POST", "sandboxes", options)

    def sandbox(self, sandbox: str) -> Mapping[str, Any]:
        """A sandbox as it stands now."""
        return self._ask("GET", f"sandboxes/{sandbox}")

    def reset(self, sandbox: str) -> Mapping[str, Any]:
        """Forget every payment of a sandbox; its entities and tokens stay."""
        return self._ask("POST", f"sandboxes/{sandbox}/reset", {})

    def delete(self, sandbox: str) -> None:
        """Remove a sandbox and all it holds."""
        self._ask("DELETE", f"sandboxes/{sandbox}")

    def snapshot(self, sandbox: str, passphrase: str | None = None) -> bytes:
        """A sandbox and its data as one file; with a passphrase, it opens anywhere."""
        self.save_snapshot(sandbox, into := BytesIO(), passphrase)
        return into.getvalue()

    def save_snapshot(self, sandbox: str, into: Writable, passphrase: str | None = None) -> None:
        """Write a snapshot of a sandbox into a file, piece by piece, however large it is."""
        path, sent = f"sandboxes/{sandbox}/snapshot", _passphrase_header(passphrase)
        self._calls.save(path, into, headers=sent)

    def restore(self, content: bytes, passphrase: str | None = None) -> Mapping[str, Any]:
        """The sandbox of a snapshot as it was then: a new epoch, or new where there is none."""
        sent = {"Content-Type": "application/octet-stream", **_passphrase_header(passphrase)}
        return self._calls.document("POST", "sandboxes/restore", headers=sent, body=content)

    def add_merchant(self, sandbox: str, **options: Any) -> Mapping[str, Any]:
        """A new merchant with its tokens; options are `name`, `channels` and `dispatching`."""
        return self._ask("POST", f"sandboxes/{sandbox}/merchants", options)

    def change_merchant(self, sandbox: str, merchant: str, **changes: Any) -> Mapping[str, Any]:
        """A merchant with another `name`, or other rules of `dispatching`."""
        return self._ask("PATCH", f"sandboxes/{sandbox}/merchants/{merchant}", changes)

    def add_channel(self, sandbox: str, merchant: str, **settings: Any) -> Mapping[str, Any]:
        """A new channel of a merchant."""
        return self._ask("POST", f"sandboxes/{sandbox}/merchants/{merchant}/channels", settings)

    def change_channel(
        self, sandbox: str, merchant: str, channel: str, **settings: Any
    ) -> Mapping[str, Any]:
        """A channel with other settings; those not named stay."""
        path = f"sandboxes/{sandbox}/merchants/{merchant}/channels/{channel}"
        return self._ask("PATCH", path, settings)

    def tokens(self, sandbox: str, merchant: str) -> list[Mapping[str, Any]]:
        """The tokens of a merchant, without their values."""
        return self._ask("GET", f"sandboxes/{sandbox}/merchants/{merchant}/tokens").listed("tokens")

    def issue_token(self, sandbox: str, merchant: str, **options: str) -> Mapping[str, Any]:
        """Another token, its value in `token`; options are `alias` and `host` (test or live)."""
        return self._ask("POST", f"sandboxes/{sandbox}/merchants/{merchant}/tokens", options)

    def suspend_token(self, sandbox: str, merchant: str, token: str) -> Mapping[str, Any]:
        """Suspend a token: it opens nothing."""
        return self._token(sandbox, merchant, token, "suspend")

    def activate_token(self, sandbox: str, merchant: str, token: str) -> Mapping[str, Any]:
        """Activate a suspended token."""
        return self._token(sandbox, merchant, token, "activate")

    def rotate_token(self, sandbox: str, merchant: str, token: str) -> Mapping[str, Any]:
        """A new token in the place of one that ends, its value in `token`."""
        return self._token(sandbox, merchant, token, "rotate")

    def set_sftp_access(self, sandbox: str, merchant: str, **options: Any) -> Mapping[str, Any]:
        """Let a merchant fetch its files by SFTP as `user`; options are `password` and `keys`.

        Without either, a generated one is in `password`.
        """
        path = f"sandboxes/{sandbox}/merchants/{merchant}/sftp"
        return self._ask("PUT", path, options)

    def set_push_target(self, sandbox: str, merchant: str, **target: Any) -> Mapping[str, Any]:
        """Push the files of a merchant to a server: docs/how-to/settlement.md."""
        return self._ask("PUT", f"sandboxes/{sandbox}/merchants/{merchant}/sftp-push", target)

    def arm_script(
        self, sandbox: str, behaviour: str | Mapping[str, Any], **options: Any
    ) -> Mapping[str, Any]:
        """Arm a behaviour, by name or written out; options are `match` and `times`."""
        content = {"behaviour": behaviour, **options}
        return self._ask("POST", f"sandboxes/{sandbox}/scripts", content)

    def scripts(self, sandbox: str) -> list[Mapping[str, Any]]:
        """Every script armed in a sandbox."""
        return self._ask("GET", f"sandboxes/{sandbox}/scripts").listed("scripts")

    def script(self, sandbox: str, script: str) -> Mapping[str, Any]:
        """One script: what it matches, how often it did, and its near misses."""
        return self._ask("GET", f"sandboxes/{sandbox}/scripts/{script}")

    def disarm_script(self, sandbox: str, script: str) -> None:
        """Remove a script."""
        self._ask("DELETE", f"sandboxes/{sandbox}/scripts/{script}")

    def set_breakpoints(self, sandbox: str, *parties: str) -> list[str]:
        """Hold messages at these parties of a sandbox, and at no other."""
        asked = {"parties": list(parties)}
        return self._ask("PUT", f"sandboxes/{sandbox}/breakpoints", asked).listed("parties", str)

    def held(self, sandbox: str) -> list[Mapping[str, Any]]:
        """The messages that are held in a sandbox, the oldest first."""
        return self._ask("GET", f"sandboxes/{sandbox}/held").listed("held")

    def let_go(self, sandbox: str, held: str, action: str, answer: str = "") -> Mapping[str, Any]:
        """Let a held message go on: release it, drop it, or answer it."""
        asked = {"action": action, **({"answer": answer} if answer else {})}
        return self._ask("POST", f"sandboxes/{sandbox}/held/{held}", asked)

    def throttles(self, sandbox: str) -> Mapping[str, Any]:
        """The throttle tables of a sandbox, `throttle` and `live_throttle`."""
        return self._ask("GET", f"sandboxes/{sandbox}/throttle")

    def set_throttles(self, sandbox: str, **tables: Any) -> Mapping[str, Any]:
        """Throttle by other tables: `throttle`, `live_throttle` or both, by name or written out."""
        return self._ask("PUT", f"sandboxes/{sandbox}/throttle", tables)

    def clock(self, sandbox: str) -> Mapping[str, Any]:
        """The clock of a sandbox: its mode, what it shows, and when something is due next."""
        return self._ask("GET", f"sandboxes/{sandbox}/clock")

    def set_clock(self, sandbox: str, mode: str, **options: Any) -> Mapping[str, Any]:
        """Set a clock to real, frozen, offset or scaled; options are `at` and `rate`."""
        return self._ask("PUT", f"sandboxes/{sandbox}/clock", {"mode": mode, **options})

    def advance_clock(self, sandbox: str, **how: str) -> Mapping[str, Any]:
        """Move a clock `by` a span, `to` an instant or `until` "next", doing what is due."""
        return self._calls.work(f"sandboxes/{sandbox}/clock/advance", how)

    def pending(self, sandbox: str) -> list[Mapping[str, Any]]:
        """The pending payments of a sandbox, the next to end first."""
        return self._ask("GET", f"sandboxes/{sandbox}/pending").listed("pending")

    def release_pending(self, sandbox: str, payment: str, outcome: str) -> Mapping[str, Any]:
        """End a pending payment: success, failure or expiry."""
        return self._ask("POST", f"sandboxes/{sandbox}/pending/{payment}", {"outcome": outcome})

    def journal(self, sandbox: str, **search: str | int) -> Mapping[str, Any]:
        """A page of a journal, newest first: `entries`, `newest`, and `next` for `before`.

        A search may name `ndc`, `payment`, `path`, `code`, `since`, `until`, `limit`, `before`,
        `after`, and `follow` to wait for something new.
        """
        return self._ask("GET", f"sandboxes/{sandbox}/journal?{urlencode(search)}")

    def journal_entry(self, sandbox: str, ndc: str, number: int | None = None) -> Mapping[str, Any]:
        """One exchange and all that belongs to it; of several with one ndc that of `number`."""
        asked = "" if number is None else f"?number={number}"
        return self._ask("GET", f"sandboxes/{sandbox}/journal/{quote(ndc, safe='')}{asked}")

    def unattributed(self, ndc: str) -> Mapping[str, Any]:
        """An exchange that was refused before it came to a sandbox."""
        return self._ask("GET", f"journal/{quote(ndc, safe='')}")

    # Its name in 0.1.0, for steps that use it; it goes with the next release.
    stranger = unattributed

    def trace(self, sandbox: str, payment: str, *, svg: bool = False) -> str:
        """Every message about a payment, in order: as text, or as a diagram in SVG, which is
        checked.
        """
        path = _trace_path(sandbox, payment, ".svg" if svg else "")
        text = self._calls.text("GET", path)
        return checked_picture(text) if svg else text

    def trace_document(self, sandbox: str, payment: str) -> Mapping[str, Any]:
        """The same as a document: the payments, and the messages about them in order."""
        return self._ask("GET", _trace_path(sandbox, payment, ".json"))

    def sandboxes(self) -> list[Mapping[str, Any]]:
        """Every sandbox, oldest first."""
        return self._ask("GET", "sandboxes").listed("sandboxes")

    def create_webhook(self, sandbox: str, url: str, **options: Any) -> Mapping[str, Any]:
        """A new endpoint with its `secret`; "inbox" is the sandbox's own.

        Options are `entity`, `types`, `fields`, `format`, `secret` and `skip_activation`.
        """
        return self._ask("POST", f"sandboxes/{sandbox}/webhooks", {"url": url, **options})

    def activate_webhook(self, sandbox: str, endpoint: str) -> Mapping[str, Any]:
        """The endpoint after it was called once more; `active` says whether it answered 2xx."""
        return self._ask("POST", f"sandboxes/{sandbox}/webhooks/{endpoint}/activate")

    def webhooks(self, sandbox: str) -> list[Mapping[str, Any]]:
        """The endpoints of a sandbox, without their secrets."""
        return self._ask("GET", f"sandboxes/{sandbox}/webhooks").listed("webhooks")

    def delete_webhook(self, sandbox: str, endpoint: str) -> None:
        """Remove an endpoint."""
        self._ask("DELETE", f"sandboxes/{sandbox}/webhooks/{endpoint}")

    def inbox(self, sandbox: str, *, count: int = 0, wait: str = "0s") -> list[Mapping[str, Any]]:
        """What arrived in the inbox, oldest first: as soon as it is `count`, or after `wait`."""
        path = f"sandboxes/{sandbox}/inbox?count={count}&wait={wait}"
        return self._ask("GET", path).listed("arrived")

    def notices(
        self, sandbox: str, *, failed: bool = False, payment: str | None = None
    ) -> list[Mapping[str, Any]]:
        """Webhook events, newest first: all, those that failed so far, or those about one
        payment.
        """
        query = {"failed": str(failed).lower()} | ({"payment": payment} if payment else {})
        return self._ask("GET", f"sandboxes/{sandbox}/notices?{urlencode(query)}").listed("notices")

    def resend_notice(self, sandbox: str, notice: str) -> Mapping[str, Any]:
        """Deliver a notification again, under the same identity."""
        return self._ask("POST", f"sandboxes/{sandbox}/notices/{notice}/resend", {})

    def trigger(self, sandbox: str, event: str, payment: str) -> Mapping[str, Any]:
        """Tell of an event, such as payment.updated, that has not just happened."""
        content = {"event": event, "payment": payment}
        return self._ask("POST", f"sandboxes/{sandbox}/notices", content)

    def wallet_token(self, sandbox: str, **order: Any) -> str:
        """A token as a wallet would give it to a shop: a value of mobileWallet.paymentToken.

        An order may name `protocol` (EC_v1, ECv2), `number`, `expiryMonth`, `expiryYear`, `amount`,
        `currency`, `cryptogram`, `eci`, and a `fault`.
        """
        return str(self._ask("POST", f"sandboxes/{sandbox}/wallet/tokens", order)["token"])

    def create_terminal(self, sandbox: str, **options: Any) -> Mapping[str, Any]:
        """A new terminal, with the keys that are loaded into it in `load`, shown this once.

        Options are `model` (such as SANDGATE_COUNTERTOP), `channel`, `method` (AES or TDES), and
        `loading`: with "remote" there is no `load`, its keys come by `terminal_keys`.
        """
        return self._ask("POST", f"sandboxes/{sandbox}/terminals", options)

    def terminals(self, sandbox: str) -> list[Mapping[str, Any]]:
        """The terminals of a sandbox, the oldest first."""
        return self._ask("GET", f"sandboxes/{sandbox}/terminals").listed("terminals")

    def terminal(self, sandbox: str, terminal: str) -> Mapping[str, Any]:
        """A terminal, and the highest counter that was seen of each of its keys."""
        return self._ask("GET", f"sandboxes/{sandbox}/terminals/{quote(terminal, safe='')}")

    def delete_terminal(self, sandbox: str, terminal: str) -> None:
        """Remove a terminal with its keys."""
        self._ask("DELETE", f"sandboxes/{sandbox}/terminals/{quote(terminal, safe='')}")

    def set_form_brands(self, sandbox: str, checkout: str, **offer: Any) -> Mapping[str, Any]:
        """Set the brands that forms of a checkout offer: `brands`, `override`, `active`."""
        return self._ask("PUT", f"sandboxes/{sandbox}/checkouts/{checkout}/brands", offer)

    def issue_capability(self, sandbox: str, checkout: str) -> str:
        """What lets a form post once to a checkout: `Authorization: Checkout <capability>`."""
        path = f"sandboxes/{sandbox}/checkouts/{checkout}/capability"
        return str(self._ask("POST", path, {})["capability"])

    def books(self, sandbox: str) -> Mapping[str, Any]:
        """What gateway and card host say was moved: whether they `agree`, `lines` by type and
        currency, `differences` with a reason each, and the payments `under_way`.
        """
        return self._ask("GET", f"sandboxes/{sandbox}/books")

    def settle(self, sandbox: str, **asked: Any) -> list[Mapping[str, Any]]:
        """Settle what is over, of one `institute` or all, to `date`; `daily` goes on. The runs."""
        return self.settle_days(sandbox, **asked).listed("runs")

    def settle_days(self, sandbox: str, **asked: Any) -> Answered:
        """The same: `runs`, and which institutes have `more` days than the 400 settled at once."""
        return self._calls.work(f"sandboxes/{sandbox}/settlements", asked)

    def settlements(self, sandbox: str) -> list[Mapping[str, Any]]:
        """The last 500 runs, by day."""
        return self._ask("GET", f"sandboxes/{sandbox}/settlements").listed("runs")

    def settlement(self, sandbox: str, run: str) -> Mapping[str, Any]:
        """A run, and the sums of each merchant account."""
        return self._ask("GET", f"sandboxes/{sandbox}/settlements/{quote(run, safe='')}")

    def push_again(self, sandbox: str, run: str) -> list[Mapping[str, Any]]:
        """Push now what of a run is not pushed yet; how far each file got."""
        path = f"sandboxes/{sandbox}/settlements/{quote(run, safe='')}/pushes"
        return self._ask("POST", path, {}).listed("pushes")

    def plant_settlement_faults(self, sandbox: str, institute: str, plan: str) -> Mapping[str, Any]:
        """Plant the faults of a plan (YAML) in the next file of an institute."""
        asked = {"institute": institute, "plan": plan}
        return self._ask("POST", f"sandboxes/{sandbox}/settlement-faults", asked)

    def settlement_picture(self, sandbox: str, run: str) -> str:
        """A run as an SVG, which is checked: where the money of each merchant account came from
        and went.
        """
        path = f"sandboxes/{sandbox}/settlements/{quote(run, safe='')}/picture.svg"
        return checked_picture(self._calls.text("GET", path))

    def settlement_key(self, sandbox: str, run: str, merchant_account: str) -> bytes:
        """The answer key of a merchant account in a run, one JSON object a line."""
        self.save_settlement_key(sandbox, run, merchant_account, into := BytesIO())
        return into.getvalue()

    def save_settlement_key(
        self, sandbox: str, run: str, merchant_account: str, into: Writable
    ) -> None:
        """Write the answer key of a merchant account in a run, one JSON object a line."""
        path = f"sandboxes/{sandbox}/settlements/{quote(run, safe='')}/keys/{merchant_account}"
        self._calls.save(path, into)

    def people(self) -> list[Mapping[str, Any]]:
        """The people of the console."""
        return self._ask("GET", "people").listed("people")

    def invitations(self) -> list[Mapping[str, Any]]:
        """Who was invited to the console and has not joined."""
        return self._ask("GET", "people").listed("invitations")

    def invite_person(self, name: str, role: str) -> Mapping[str, Any]:
        """An invitation to the console; its `link` opens once."""
        return self._ask("POST", "people", {"name": name, "role": role})

    def remove_person(self, name: str) -> None:
        """Remove a person from the console, signed out everywhere, or one who was invited."""
        self._ask("DELETE", f"people/{quote(name, safe='')}")

    def drain(self, sandbox: str, timeout: str = "10s") -> bool:
        """Whether nothing was under way any more within so much time."""
        content = {"timeout": timeout}
        return bool(self._ask("POST", f"sandboxes/{sandbox}/drain", content)["drained"])

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        self._calls.close()

    def _token(self, sandbox: str, merchant: str, token: str, deed: str) -> Mapping[str, Any]:
        path = f"sandboxes/{sandbox}/merchants/{merchant}/tokens/{token}/{deed}"
        return self._ask("POST", path, {})


def _trace_path(sandbox: str, payment: str, form: str) -> str:
    """The path of the trace of a payment in a form, such as .svg."""
    return f"sandboxes/{sandbox}/payments/{quote(payment, safe='')}/trace{form}"


def _passphrase_header(passphrase: str | None) -> dict[str, str]:
    """The header that seals or opens a snapshot; none without a passphrase."""
    return {} if passphrase is None else {"Sandgate-Passphrase": passphrase}
