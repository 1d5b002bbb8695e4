"""Interceptors of requests, one around the other."""

from functools import partial

from simulator.client import Answer, Interceptor, OutgoingRequest, SendRequest


def compose_interceptors(inner: Interceptor, outer: Interceptor) -> Interceptor:
    """The interceptor that lets `outer` decide when and how often `inner` sees a request sent."""

    def around(asked: OutgoingRequest, send: SendRequest) -> Answer:
        return outer(asked, partial(inner, asked, send))

    return around
