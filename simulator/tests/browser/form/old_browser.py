"""A browser that lacks what came after the oldest one the specification names. Source: FORM-09."""

# Gone from the window, from constructors, and from prototypes; then constructors that refuse.
OLD = """(function () {
  "use strict";
  function drop(owner, names) {
    names.split(" ").forEach(function (name) { delete owner[name]; });
  }
  drop(String.prototype, "includes startsWith endsWith padStart padEnd repeat at matchAll"
    + " replaceAll normalize codePointAt trimStart trimEnd");
  drop(String, "raw fromCodePoint");
  drop(Array, "from of");
  drop(Array.prototype, "find findIndex findLast includes fill flat flatMap at keys values entries"
    + " copyWithin toSorted");
  drop(Object, "assign entries values fromEntries hasOwn getOwnPropertyDescriptors"
    + " getOwnPropertySymbols");
  drop(Number, "isInteger isNaN isFinite parseFloat parseInt isSafeInteger");
  drop(Math, "trunc sign log2 log10 cbrt hypot");
  drop(NodeList.prototype, "forEach entries keys values");
  drop(DOMTokenList.prototype, "forEach replace supports entries keys values");
  drop(Element.prototype, "closest matches append prepend remove replaceWith before after"
    + " toggleAttribute getAttributeNames animate attachShadow replaceChildren scrollTo"
    + " insertAdjacentElement");
  drop(CharacterData.prototype, "remove replaceWith before after");
  drop(DocumentType.prototype, "remove replaceWith before after");
  drop(DocumentFragment.prototype, "append prepend replaceChildren");
  drop(Document.prototype, "append prepend currentScript replaceChildren getAnimations fonts");
  drop(Node.prototype, "isConnected getRootNode");
  drop(HTMLFormElement.prototype, "requestSubmit reportValidity");
  drop(window, "fetch Promise Symbol URLSearchParams Proxy Reflect Headers Request Response"
    + " AbortController TextEncoder TextDecoder IntersectionObserver ResizeObserver CSS"
    + " BroadcastChannel structuredClone queueMicrotask requestIdleCallback"
    + " FormData customElements visualViewport trustedTypes");
  // They exist there, and cannot be constructed.
  ["URL", "Event", "CustomEvent", "KeyboardEvent", "MouseEvent", "FocusEvent"].forEach(
    function (name) {
      var made = window[name];
      window[name] = function () { throw new TypeError(name + " is not a constructor"); };
      window[name].prototype = made.prototype;
    });
  var toggle = DOMTokenList.prototype.toggle;
  DOMTokenList.prototype.toggle = function (name) { return toggle.call(this, name); };
  ["add", "remove"].forEach(function (name) {
    var change = DOMTokenList.prototype[name];
    DOMTokenList.prototype[name] = function (one) { return change.call(this, one); };
  });
}());
"""
