/* Stored accounts: one of them is chosen, and paid with by its code or as it is. */
function drawStored(place) {
  var owner = newContainer(place, "registration", []);
  var chosen = make("div", "registrations", {
    role: "radiogroup", "aria-label": word("storedAccounts")
  });
  owner.outer = make("div", "", { id: "wpwl-registrations" }, [owner.box]);
  owner.form.className += " wpwl-form-registrations";
  owner.stored = opened.registrations.map(function (stored) {
    var shown = storedGroup(owner, stored);
    chosen.appendChild(shown.group);
    return shown;
  });
  owner.brands = owner.stored.map(function (shown) { return shown.stored.brand; });
  owner.form.appendChild(chosen);
  chooseStored(owner, owner.stored[0]);
  finishContainer(owner);
  owner.stored.forEach(function (shown) { showBadge(shown.picture, shown.stored.brand); });
  if (option("registrations.hideInitialPaymentForms", false)) {
    drawOther(owner);
  }
}

function storedGroup(owner, stored) {
  var id = "wpwl-registration-" + randomHex(8);
  var picture = make("div", "", { role: "img", "aria-label": brandName(stored.brand) });
  var details = storedPart("details", [
    storedPart("number", [fill("endingIn", stored.last4Digits)]),
    stored.expiryMonth
      && storedPart("expiry", [fill("expires", stored.expiryMonth + "/" + stored.expiryYear)]),
    stored.holder && storedPart("holder", [stored.holder])
  ]);
  var brand = storedPart("brand", [picture]);
  brand.id = id + "-brand";
  details.id = id + "-details";
  var shown = { stored: stored, picture: picture, code: storedPart("cvv", []) };
  shown.radio = make("input", "", {
    type: "radio", name: "registrationId", value: stored.id, id: id,
    "data-action": "change-registration", "aria-labelledby": brand.id + " " + details.id
  });
  shown.group = make("div", "group group-registration clearfix", null, [
    make("label", "registration", { "for": id }, [
      storedPart("registrationId", [shown.radio]), brand, details, shown.code])]);
  listen(shown.radio, "change", function () { chooseStored(owner, shown); });
  return shown;
}

function storedPart(name, children) {
  return make("div", "wrapper-registration wrapper-registration-" + name, null, children);
}

/* The code is asked for the account that is chosen, in a frame of its own each time. */
function chooseStored(owner, chosen) {
  var row = opened.brandRows[chosen.stored.brand];
  owner.stored.forEach(function (shown) {
    toggle(shown.group, "selected", shown === chosen);
    shown.code.textContent = "";
  });
  chosen.radio.checked = true;
  frames = frames.filter(function (frame) { return frame.owner !== owner; });
  owner.brand = chosen.stored.brand;
  owner.code = null;
  if (option("registrations.requireCvv", true) && row && row.account === "card") {
    owner.code = fieldFrame(owner, "cvv", "card.cvv", "cvv");
    chosen.code.appendChild(owner.code.element);
  }
}

/* With hideInitialPaymentForms the other forms are shown when the shopper asks for them. */
function drawOther(owner) {
  var button = make("button", "button button-pay button-other", {
    type: "button", "data-action": "show-initial-forms"
  }, [word("showOtherPaymentMethods")]);
  owner.other = make("div", "group group-showOtherPaymentMethods clearfix", null, [button]);
  owner.form.appendChild(owner.other);
  listen(button, "click", function () {
    drop(owner.other);
    owner.other = null;
    hideInitialForms();
    var first = containers.filter(isInitial)[0];
    if (first) {
      focusOn(first.form.querySelector("select, input, iframe, button"));
    }
  });
}

function isInitial(owner) {
  return owner.name !== "registration";
}

function hideInitialForms() {
  var isHidden = containers.some(function (owner) { return owner.other; });
  containers.filter(isInitial).forEach(function (owner) {
    owner.box.style.display = isHidden ? "none" : "";
  });
}
