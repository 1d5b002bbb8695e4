"""What the oldest browser that the specification names lacks, taken from a new one.

Members of pages are removed. A new browser without those of the language ends now and then, so the
scripts of the gateway alone do not find them: a script that brings its own sees that they are
missing, and uses its own. Source: Hosted payment form behaviour; FORM-09.
"""

import json
from collections.abc import Iterator

#  object                       members that came after the oldest browser
PAGE_MEMBERS = {
    "Element.prototype":         "closest matches append prepend remove replaceWith",
    "NodeList.prototype":        "forEach",
    "HTMLFormElement.prototype": "requestSubmit reportValidity",
}  # fmt: skip
LANGUAGE_MEMBERS = {
    "String.prototype": "at codePointAt endsWith includes matchAll normalize padEnd padStart repeat"
                        " replaceAll startsWith trimEnd trimStart",
    "Array.prototype":  "at copyWithin entries fill find findIndex findLast flat flatMap includes"
                        " keys values",
    "Array":            "from of",
    "Object":           "assign entries fromEntries getOwnPropertySymbols is values",
    "Number":           "isFinite isInteger isNaN isSafeInteger parseFloat parseInt",
    "Math":             "cbrt hypot log10 log2 sign trunc",
    "window":           "AbortController Headers IntersectionObserver Promise Proxy Reflect Request"
                        " ResizeObserver Response Symbol URLSearchParams fetch globalThis"
                        " queueMicrotask structuredClone",
}  # fmt: skip
REMOVE = "NAMES.split(' ').forEach(function (name) { delete OWNER[name]; });"
HIDE = """(function (owner, names, gateway) {
  function isOfGateway() { return String(new Error().stack).indexOf(gateway) !== -1; }
  names.split(" ").forEach(function (name) {
    var real = owner[name], own;
    if (real === undefined) { return; }
    Object.defineProperty(owner, name, {
      configurable: true,
      get: function () { return isOfGateway() ? own : real; },
      set: function (value) {
        if (this === owner) { own = value; return; }
        Object.defineProperty(this, name,
          { value: value, configurable: true, enumerable: true, writable: true });
      }
    });
  });
})(OWNER, NAMES, GATEWAY);"""


def scripts_of_old_browser(gateway: str) -> Iterator[str]:
    """What each page and frame has to run first, for a gateway at this address."""
    for script, members in ((REMOVE, PAGE_MEMBERS), (HIDE, LANGUAGE_MEMBERS)):
        for owner, names in members.items():
            parts = {"OWNER": owner, "NAMES": json.dumps(names), "GATEWAY": json.dumps(gateway)}
            made = script
            for name, text in parts.items():
                made = made.replace(name, text)
            yield made
