"""A shop in 20 lines: its page has the hosted form, and its server asks for the result."""

import json
import os
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import Request, urlopen

NAMES = ("SANDGATE_URL", "SANDGATE_TOKEN", "SANDGATE_ENTITY_ID")
if missing := [name for name in NAMES if not os.environ.get(name)]:
    sys.exit(f"shop.py: expected {', '.join(missing)}; paste the export line of `sandgate serve`")
URL, TOKEN, ENTITY = (os.environ[name] for name in NAMES)
PAGE = """<!DOCTYPE html><html lang="en"><title>Tea house</title><h1>One teapot, 42.00 EUR</h1>
<script src="{url}v1/paymentWidgets.js?checkoutId={checkout}"></script>
<form action="/result" class="paymentWidgets" data-brands="VISA MASTER AMEX"></form></html>"""
prepared = set()


def ask(path, form=None):
    query = "" if form else f"?entityId={ENTITY}"
    data = urlencode({"entityId": ENTITY, **form}).encode() if form else None
    try:
        answer = urlopen(Request(URL + path + query, data, {"Authorization": f"Bearer {TOKEN}"}))
    except HTTPError as declined:  # A declined payment is answered 400.
        answer = declined
    return json.load(answer)


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        checkout = parse_qs(urlsplit(self.path).query).get("id", [""])[0]
        if self.path.startswith("/result") and checkout in prepared:
            result = ask(f"v1/checkouts/{checkout}/payment")["result"]
            page = f"<!DOCTYPE html><title>Result</title>{result['code']} {result['description']}"
        else:
            order = {"paymentType": "DB", "amount": "42.00", "currency": "EUR"}
            checkout = ask("v1/checkouts", order)["id"]
            prepared.add(checkout)
            page = PAGE.format(url=URL, checkout=checkout)
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(page.encode())


server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", 0))), Shop)
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
