var CHECK_MS_MAX = 5000;
/* The form that is paid with, until the relay says how that went. */
var payer = null;

/* Pay: the page is asked, every field is looked at, and the relay posts what was typed. */
function press(owner) {
  if (owner.isBusy || isUnloaded) {
    return;
  }
  setBusy(owner, true);
  ask(owner, beforeName(owner), function () {
    if (owner.name === "card") {
      ask(owner, "onBeforeSubmitCardPromise", function () { check(owner); });
    } else {
      check(owner);
    }
  });
}

/* Ask the page whether to go on. Only false, an event whose default it prevents, and a promise of
   false or one that fails stop the payment. */
function ask(owner, name, goOn) {
  var event = newEvent("submit");
  var stop = function () { setBusy(owner, false); };
  var take = function (answer) {
    if (answer === false || event.defaultPrevented) {
      stop();
    } else if (!isUnloaded && owner.isBusy) {
      goOn();
    }
  };
  var answer = callback(name, owner.form, [event]);
  if (answer && typeof answer.then === "function") {
    answer.then(take, function (error) {
      warn(name + ": " + textFrom(error));
      stop();
    });
  } else {
    take(answer);
  }
}

function beforeName(owner) {
  var name = owner.name.split("-")[0];
  return "onBeforeSubmit" + (name === "registration" ? "OneClickCard"
    : name.charAt(0).toUpperCase() + name.substr(1));
}

function newEvent(type) {
  var event = document.createEvent("Event");
  event.initEvent(type, true, true);
  return event;
}

/* Look at every field; those in frames answer by a message. */
function check(owner) {
  owner.problems = [];
  owner.message.textContent = "";
  owner.waiting = 0;
  if (validates()) {
    owner.inputs.forEach(function (input) { lookAt(owner, input); });
    var asked = [owner.number, owner.code].filter(function (frame) {
      return frame && owner.form.contains(frame.element);
    });
    owner.waiting = asked.length;
    asked.forEach(function (frame) { post(frame, "check", {}); });
    owner.timer = later(function () { stopWaiting(owner); }, CHECK_MS_MAX);
  }
  decide(owner);
}

/* A field that the page took away is not missed. */
function lookAt(owner, input) {
  var problem = owner.form.contains(input.element) ? input.problem() : "";
  setHint(input.element, input.hint, problem ? word(problem) : "");
  if (problem) {
    owner.problems.push(input.element);
  }
}

function checked(frame, key) {
  var owner = frame.owner;
  showFieldError(frame, key);
  if (key) {
    owner.problems.push(frame.element);
  }
  if (owner.isBusy && owner.waiting > 0) {
    owner.waiting -= 1;
    decide(owner);
  }
}

function stopWaiting(owner) {
  if (owner.waiting > 0) {
    owner.waiting = 0;
    setBusy(owner, false);
    report("PciIframeCommunicationError", "a frame of the form did not answer", {});
    say(owner, word("failed"));
  }
}

function decide(owner) {
  if (owner.waiting > 0) {
    return;
  }
  window.clearTimeout(owner.timer);
  if (owner.problems.length) {
    setBusy(owner, false);
    say(owner, word("checkFields"));
    focusOn(owner.problems.sort(function (one, other) {
      return one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
    })[0]);
    return;
  }
  if (isWallet(owner)) {
    openSheet(owner);
  } else {
    submit(owner);
  }
}

function submit(owner) {
  if (payer) {
    wait(owner);
    return;
  }
  var keep = kind === "payment" && option("useSummaryPage", false);
  if (post(relay, "pay", { kind: kind, owner: owner.id, fields: fieldsOf(owner), keep: keep })) {
    payer = owner;
    callback("onAfterSubmit", owner.form);
  } else {
    finish({ owner: owner.id, end: "refused", description: word("checkFields") });
  }
}

/* While another form of the page is paid with, a form says so, and may be submitted again. */
function wait(owner) {
  if (payer !== owner) {
    closeSheet();
    setBusy(owner, false);
    say(owner, word("processing"));
    owner.isWaiting = true;
  }
}

function stopPaying() {
  payer = null;
  containers.forEach(function (owner) {
    if (owner.isWaiting) {
      say(owner, "");
    }
  });
}

function focusOn(element) {
  element.focus();
  frames.forEach(function (frame) {
    if (frame.element === element) {
      post(frame, "focus", {});
    }
  });
}

/* Every named input of the form, those a page put into it too. */
function fieldsOf(owner) {
  var fields = [];
  var inputs = owner.form.querySelectorAll("input, select, textarea");
  for (var i = 0; i < inputs.length; i += 1) {
    var input = inputs[i];
    var isOff = /^(submit|button|image|reset|file)$/.test(input.type)
      || (/^(checkbox|radio)$/.test(input.type) && !input.checked);
    if (input.name && !input.disabled && !isOff && input.value !== "") {
      fields.push([input.name, has(COMPACT, input.name) ? valueOf(input) : input.value]);
    }
  }
  if (owner.expiry) {
    var expiry = expiryOf(owner.expiry.value);
    if (expiry) {
      fields.push(["card.expiryMonth", expiry.month], ["card.expiryYear", expiry.year]);
    }
    if (owner.holders.length > 1) {
      fields.push(["card.holder", owner.holders.map(function (control) {
        return control.value.trim();
      }).join(" ").trim()]);
    }
  }
  if (/^[1-5]$/.test(challengeWindow())) {
    fields.push(["customer.browser.challengeWindow", String(challengeWindow())]);
  }
  if (!has(opened.fixed, "shopperResultUrl")) {
    fields.push(["shopperResultUrl", resultAddress(owner)]);
  }
  return fields;
}

function resultAddress(owner) {
  var link = document.createElement("a");
  var usable = [owner.place.action, opened.shopperResultUrl].filter(function (address) {
    link.href = address;
    return address && /^https?:$/.test(link.protocol);
  });
  link.href = usable[0] || window.location.href;
  return link.href;
}

/* How it went. A refusal leaves the form as it is; every end leads to the shop's page. */
function finish(message) {
  var owner = containers.filter(function (each_) { return each_.id === message.owner; })[0];
  if (!owner || !owner.isBusy) {
    return;
  }
  closeSheet();
  if (message.end === "refused") {
    setBusy(owner, false);
    report("PciIframeSubmitError", textOf(message.errors || []), { brand: owner.brand });
    say(owner, refusal(message));
    askForOpening();
  } else if (message.end === "kept") {
    setBusy(owner, false);
    callback("onSaveTransactionData", owner.form, [{
      id: checkout, resourcePath: api.checkout.resourcePath, amount: opened.amount,
      currency: opened.currency, paymentBrand: owner.brand
    }]);
  } else if (message.end === "expired") {
    isOver = true;
    askForOpening();
  } else if (message.end === "pending" && message.redirect) {
    follow(owner, message.redirect);
  } else {
    leave(owner);
  }
}

function refusal(message) {
  var errors = message.errors || [];
  if (!errors.length) {
    return message.description || word("invalidError");
  }
  return errors.map(function (error) { return error.name + ": " + error.message; }).join("\n");
}

/* To the shop's page, with what the shop asks the gateway for the result by. */
function leave(owner) {
  var address = resultAddress(owner);
  var path = "/v1/checkouts/" + checkout + "/" + kind;
  var parts = /^([^#]*)(#.*)?$/.exec(address);
  var query = "id=" + encodeURIComponent(checkout) + "&resourcePath=" + encodeURIComponent(path);
  var target = parts[1] + (parts[1].indexOf("?") === -1 ? "?" : "&") + query + (parts[2] || "");
  openIn(option("shopperResultTarget", "_top"), target);
}

function openIn(target, address) {
  if (target === "_top" || !target) {
    window.top.location.href = address;
  } else {
    window.open(address, target);
  }
}

function setBusy(owner, isBusy) {
  owner.isBusy = isBusy;
  owner.button.disabled = isBusy;
  toggle(owner.form, "busy", isBusy);
  drop(owner.spinner);
  owner.spinner = isBusy && option("spinner", true) ? newSpinner() : null;
  if (owner.spinner) {
    owner.form.appendChild(owner.spinner);
  }
  toggle(owner.button, "button-error", false);
}

/* A ring that turns, in the color and of the class that the page chose. */
function newSpinner() {
  var spinner = make("div", "spinner", { role: "status" }, [
    make("span", "hidden", null, [word("processing")])]);
  spinner.className += " " + option("spinner.className", "").substr(0, 100);
  spinner.style.color = option("spinner.color", "").substr(0, 40);
  return spinner;
}

function say(owner, text) {
  owner.isWaiting = false;
  owner.message.textContent = text;
  toggle(owner.button, "button-error", Boolean(text));
}
