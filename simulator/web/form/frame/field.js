/* A field in a frame of the gateway: the number of a card, or its code. What is typed leaves it for
   the relay alone, which reads it through `account`; the page is sent what a field shows, no digit. */
(function () {
  "use strict";
  var role = document.body.getAttribute("data-role");
  var secret = /^#([0-9a-f]{32})\.(\w*)$/.exec(window.location.hash);
  var input = document.querySelector("input");
  var hint = document.getElementById("hint");
  var tell;
  var rows = {};
  var offered = [];
  var brand = "";
  var isRequired = true;
  var isGrouped = true;
  var isBinWanted = false;

  /* Rows of brands come from the relay, past the page: by rows of its own making a page could ask
     for digit after digit. */
  function findRows() {
    var frames = window.parent.frames;
    for (var i = 0; i < frames.length; i += 1) {
      try {
        rows = (typeof frames[i].brandRows === "function" && frames[i].brandRows(secret[1])) || rows;
      } catch (error) {
        // A frame of another origin has none.
        continue;
      }
    }
  }

  function row() {
    return Object.prototype.hasOwnProperty.call(rows, brand) ? rows[brand] : null;
  }

  function problem() {
    var digits = digitsOf(input.value);
    return role === "number" ? numberError(digits, row()) : codeError(digits, row(), isRequired);
  }

  function show() {
    var digits = digitsOf(input.value);
    var longest = role === "number" ? 19 : row() ? row().cvv : 4;
    digits = digits.substr(0, longest);
    var text = role === "number" && isGrouped ? grouped(digits, brand) : digits;
    if (input.value !== text && input.selectionStart === input.value.length) {
      input.value = text;
    }
  }

  function typed() {
    var digits = digitsOf(input.value);
    show();
    tell("typed", {
      brands: role === "number" ? brandsOf(digits, rows, offered) : [],
      complete: !problem(), empty: !digits, key: problem(),
      bin: isBinWanted ? digits.length < 6 ? "" : digits.substr(0, 6) : null
    });
  }

  /* Declarations that load nothing. */
  function setStyle(style, declared) {
    for (var name in declared) {
      if (Object.prototype.hasOwnProperty.call(declared, name) && /^[a-zA-Z\-]{1,40}$/.test(name)
          && typeof declared[name] === "string" && !/url\(|image|src\(|expression|[;{}\\]/i.test(declared[name])) {
        style[name] = declared[name];
      }
    }
  }

  /* A placeholder has no element of its own, so its style is a rule. */
  function setPlaceholderStyle(declared) {
    var sheet = document.styleSheets[0];
    try {
      var at = sheet.insertRule("input::placeholder{}", sheet.cssRules.length);
      setStyle(sheet.cssRules[at].style, declared);
    } catch (error) {
      // An older browser keeps its own.
      return;
    }
  }

  var FROM_PAGE = {
    setup: function (message) {
      document.documentElement.lang = String(message.lang || "en");
      input.placeholder = String(message.placeholder || "");
      input.type = message.mask ? "password" : "text";
      isRequired = Boolean(message.required);
      isGrouped = message.grouping !== false;
      findRows();
      offered = Array.isArray(message.offered) ? message.offered : [];
      setStyle(input.style, message.style || {});
      setPlaceholderStyle(message.placeholderStyle || {});
    },
    describe: function (message) {
      brand = String(message.brand || "");
      isBinWanted = role === "number" && Boolean(message.bin);
      document.title = String(message.label || "");
      input.setAttribute("aria-label", document.title);
      input.setAttribute("aria-invalid", message.invalid ? "true" : "false");
      hint.textContent = String(message.hint || "");
      show();
    },
    focus: function () { input.focus(); },
    check: function () {
      var key = problem();
      tell(key ? "wrong" : "right", { key: key });
    },
    clear: function () { input.value = ""; }
  };

  if (!secret || window.parent === window) {
    return;
  }
  // The relay alone can read this: it is of the same origin, and asks with the same secret.
  window.account = function (asked, owner) {
    return asked === secret[1] && owner === secret[2] ? [input.name, digitsOf(input.value)] : null;
  };
  tell = openChannel(secret[1], FROM_PAGE);
  input.addEventListener("input", typed, false);
  input.addEventListener("focus", function () { tell("focus"); }, false);
  input.addEventListener("blur", function () {
    tell("blur", { valid: !problem(), empty: !input.value, key: problem() });
  }, false);
  input.form.addEventListener("submit", function (event) {
    event.preventDefault();
    tell("enter");
  }, false);
  tell("hello");
}());
