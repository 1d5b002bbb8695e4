"""Where the listeners of a gateway are reached: from this machine, and from others."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from simulator.adapters.http.own_addresses import own_addresses
from simulator.adapters.http.server import Listener
from simulator.setting_values import is_every_address
from simulator.settings import Settings, is_loopback, is_reachable_by_others
from simulator.web.console.visits import ConsoleReach

CONTROL_PATH = "_sandbox/v1/"
OPENAPI_PATH = "openapi.json"
LOOPBACK, LOOPBACK_V6 = "127.0.0.1", "::1"


@dataclass(frozen=True, slots=True)
class ServedAddresses:
    """Where this machine reaches a gateway; each ends with a slash, but card host and SFTP server
    are a host and a port. The fingerprint is that of the SFTP server's key, as clients show it.
    At `shared_url` other machines reach it over TLS; it is empty where they do not.
    """

    base_url: str
    tls_url: str
    live_url: str
    control_url: str
    openapi_url: str
    card_host: str = ""
    acs_url: str = ""
    sftp: str = ""
    sftp_fingerprint: str = ""
    console_url: str = ""
    shared_url: str = ""


def near_host(settings: Settings) -> str:
    """The host of an address for this machine: no certificate is valid for 0.0.0.0."""
    host = settings.host
    if is_every_address(host):
        host = LOOPBACK_V6 if ":" in host else LOOPBACK
    return in_address(host)


def far_host(settings: Settings) -> str:
    """The host of an address that other machines open too; that for this machine where it has no
    other.
    """
    found = own_addresses(settings.host)
    return in_address(found[0]) if found else near_host(settings)


def in_address(host: str) -> str:
    """A host as it stands in an address."""
    return f"[{host}]" if ":" in host else host


def addresses_of(listeners: Mapping[str, Listener], settings: Settings) -> ServedAddresses:
    """Where clients on this machine reach the listeners, and others those with TLS."""
    host = near_host(settings)
    plain, tls, live = (listeners[name].server_port for name in ("plain", "tls", "live"))
    tls_url = f"https://{host}:{tls}/"
    base_url = f"http://{host}:{plain}/"
    return ServedAddresses(
        base_url=base_url,
        tls_url=tls_url,
        live_url=f"{'https' if settings.require_tls else 'http'}://{host}:{live}/",
        control_url=(tls_url if settings.require_tls else base_url) + CONTROL_PATH,
        openapi_url=(tls_url if settings.require_tls else base_url) + OPENAPI_PATH,
        shared_url=_shared_url(settings, tls),
    )


def reach_of(addresses: ServedAddresses, settings: Settings) -> tuple[str, str, str]:
    """Where links begin on the test host, on the live host, and those that a person at this machine
    hands to others. A shopper may be on another machine, and this one reaches itself as others do.
    """
    ours = addresses.tls_url if settings.require_tls else addresses.base_url
    far = far_host(settings)
    base_url = settings.public_url or _moved(ours, far)
    return base_url, _moved(addresses.live_url, far), addresses.shared_url


def console_base(addresses: ServedAddresses, settings: Settings) -> str:
    """Where a person on this machine opens the console."""
    is_secured = settings.require_tls or is_reachable_by_others(settings)
    return addresses.tls_url if is_secured else addresses.base_url


def console_reach(settings: Settings, shared_url: Callable[[], str]) -> ConsoleReach:
    """From where the console may be opened, and where others open it once that is known."""
    return ConsoleReach(
        is_reachable_by_others(settings),
        settings.console_proxy,
        own_addresses(settings.host),
        shared_url,
    )


def hosts_in_certificate(settings: Settings) -> list[str]:
    """The hosts of the addresses that clients open, beside those of loopback."""
    return [*own_addresses(settings.host), *_public_hosts(settings)]


def names_of(settings: Settings) -> list[str]:
    """The host names under which clients reach the listeners."""
    return [settings.host, *_public_hosts(settings)]


def _public_hosts(settings: Settings) -> list[str]:
    urls = (settings.public_url, settings.public_acs_url)
    return [urlsplit(url).hostname or "" for url in urls if url is not None]


def _shared_url(settings: Settings, port: int) -> str:
    if settings.public_url is not None and settings.public_url.startswith("https:"):
        return settings.public_url
    if is_loopback(settings.host) or not own_addresses(settings.host):
        return ""
    return f"https://{far_host(settings)}:{port}/"


def _moved(url: str, host: str) -> str:
    """The same address at another host."""
    return urlsplit(url)._replace(netloc=f"{host}:{urlsplit(url).port}").geturl()
