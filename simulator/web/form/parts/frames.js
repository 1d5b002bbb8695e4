/* Frames of the gateway. A message is taken only from the window of a frame we made, and from the
   gateway's origin; it carries the secret that frames were given behind the # of their address. */
var json = { parse: JSON.parse, stringify: JSON.stringify };
var frames = [];
var relay = null;
var HELLO_MS_MAX = 10000;

function openFrame(role, page, attributes, owner) {
  var id = owner ? owner.id : "";
  var element = make("iframe", "", attributes);
  element.src = base + "form/" + page + "#" + secret + "." + id;
  var frame = { role: role, element: element, owner: owner, isReady: false };
  frames.push(frame);
  return frame;
}

function openRelay() {
  if (!checkout) {
    fail("InvalidCheckoutIdError", "no checkoutId in the address of the script");
    return;
  }
  relay = openFrame("relay", "relay", {
    title: "", tabindex: "-1", "aria-hidden": "true", width: "0", height: "0", frameborder: "0"
  }, null);
  relay.element.style.cssText = "position:absolute;width:0;height:0;border:0;visibility:hidden";
  document.body.appendChild(relay.element);
  later(function () {
    if (!relay.isReady) {
      fail("PciIframeCommunicationError", word("failed"));
    }
  }, HELLO_MS_MAX);
}

function post(frame, type, content) {
  var message = { s: PROTOCOL, w: secret, t: type };
  each(content, function (name, value) { message[name] = value; });
  var text = textOf(message);
  var isSent = Boolean(frame && frame.element.contentWindow) && text.length <= MESSAGE_LENGTH_MAX;
  if (isSent) {
    frame.element.contentWindow.postMessage(text, gateway);
  }
  return isSent;
}

/* The page may have replaced what was there when the script came, or taught lists to be texts. */
function textOf(message) {
  var own = Array.prototype.toJSON;
  delete Array.prototype.toJSON;
  try {
    return json.stringify(message);
  } finally {
    if (own) {
      Array.prototype.toJSON = own;
    }
  }
}

function receive(event) {
  if (event.origin !== gateway || typeof event.data !== "string"
      || event.data.length > MESSAGE_LENGTH_MAX) {
    return;
  }
  if (isEnd(event)) {
    leave(target.owner);
    return;
  }
  for (var i = 0; i < frames.length; i += 1) {
    if (frames[i].element.contentWindow === event.source) {
      take(frames[i], event.data);
      return;
    }
  }
}

function take(frame, text) {
  var message;
  try {
    message = json.parse(text);
  } catch (error) {
    return;
  }
  if (!message || message.s !== PROTOCOL || message.w !== secret) {
    return;
  }
  var handlers = frame.role === "relay" ? FROM_RELAY
    : frame.role === "sheet" ? FROM_SHEET : FROM_FIELD;
  if (Object.prototype.hasOwnProperty.call(handlers, message.t)) {
    handlers[message.t](frame, message);
  }
}

/* Which brands are on offer is asked again after each attempt that leaves the form. */
function askForOpening() {
  post(relay, "open", {
    checkout: checkout, locale: option("locale", ownLocale()).substr(0, 35),
    countries: asksForAddress()
  });
}

/* Whether a payment was refused for its checkout; the answer to an opening says why. */
var isOver = false;

var FROM_RELAY = {
  hello: function (frame) {
    frame.isReady = true;
    stopPaying();
    askForOpening();
  },
  opened: function (frame, message) {
    if (isOver) {
      fail("InvalidCheckoutIdError", word("expired"));
      return;
    }
    takeOpened(message.form);
  },
  expired: function (frame, message) {
    if (!isOver && containers.some(function (owner) { return owner.isBusy; })) {
      return;
    }
    if (isOver || message.status === 404) {
      closing = message.form && message.form.words ? message.form : closing;
      fail("InvalidCheckoutIdError", word(closing.said || "expired"));
    } else if (!opened) {
      fail("PciIframeCommunicationError", word("failed"));
    }
  },
  done: function (frame, message) {
    stopPaying();
    finish(message);
  },
  called: function () {
    if (afterCall) {
      afterCall();
    }
  }
};

var FROM_FIELD = {
  hello: function (frame) {
    setUp(frame);
  },
  focus: function (frame) {
    toggle(frame.element, "focus", true);
    describe(frame);
    callback("onFocusIframeCommunication", communication(frame));
  },
  blur: function (frame, message) {
    toggle(frame.element, "focus", false);
    callback("onBlurIframeCommunication", communication(frame));
    callback(frame.role === "number" ? "onBlurCardNumber" : "onBlurSecurityCode",
      frame.owner.form, [Boolean(message.valid)]);
    if (!message.empty && validates()) {
      showFieldError(frame, message.valid ? "" : message.key);
    }
  },
  typed: function (frame, message) {
    if (!isFailed) {
      typed(frame, message);
    }
  },
  wrong: function (frame, message) {
    checked(frame, message.key);
  },
  right: function (frame) {
    checked(frame, "");
  },
  enter: function (frame) {
    if (!option("disableSubmitOnEnter", false)) {
      press(frame.owner);
    }
  }
};

/* What callbacks about a frame are called on: jQuery's object where the page has it. */
function communication(frame) {
  var element = frame.element;
  if (window.jQuery) {
    return { $iframe: window.jQuery(element) };
  }
  var wrapped = {
    0: element,
    length: 1,
    get: function (at) { return at === 0 ? element : undefined; },
    height: function (value) {
      if (value === undefined) {
        return element.offsetHeight;
      }
      element.style.height = typeof value === "number" ? value + "px" : String(value);
      return wrapped;
    },
    css: function (name, value) {
      if (typeof name === "string" && value === undefined) {
        return window.getComputedStyle(element)[name];
      }
      var given = {};
      given[name] = value;
      each(typeof name === "string" ? given : name, function (key, each_) {
        element.style[key] = each_;
      });
      return wrapped;
    }
  };
  return { $iframe: wrapped };
}
