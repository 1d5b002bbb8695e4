/* What every form has, in a container of its own. */
var KINDS = ["registration", "card"];
var containers = [];
var drawn = [];
var isReadyCalled = false;

function newContainer(place, name, brands) {
  var kind_ = name.split("-")[0];
  var id = kind_ + "_" + (String(Math.random()).substr(2) + "000000000000").substr(0, 12);
  var ofBrand = name === kind_ ? "" : " form-" + name;
  var form = make("form", "form form-" + kind_ + ofBrand + " clearfix", {
    action: base + "v1/checkouts/" + checkout + "/" + kind, method: "POST",
    target: "cnpIframe", lang: opened.locale, novalidate: true, autocomplete: "on"
  });
  var more = name === "card" ? " container-card-" + (place.number + 1)
    : name === kind_ ? "" : " container-" + kind_;
  var box = make("div", "container container-" + name + more, { id: id }, [form]);
  var owner = { id: id, place: place, name: name, brands: brands, brand: brands[0] || "",
    form: form, box: box, outer: box, inputs: [], isBusy: false, isFilled: false, waiting: 0 };
  form.className += " wpwl-style-" + option("style", "card").replace(/\W/g, "");
  // Scripts of pages submit it too, which fires no event.
  form.submit = function () { press(owner); };
  listen(form, "submit", function (event) {
    event.preventDefault();
    press(owner);
  });
  listen(form, "input", function () { owner.isFilled = true; });
  listen(form, "keydown", function (event) {
    if (event.keyCode === 13 && event.target.tagName === "INPUT"
        && option("disableSubmitOnEnter", false)) {
      event.preventDefault();
    }
  });
  containers.push(owner);
  drawn.push(owner);
  return owner;
}

function finishContainer(owner) {
  owner.button = make("button", "button button-pay", { type: "submit" }, [
    word(kind === "registration" ? "save" : "submit")]);
  owner.message = make("div", "message", { role: "alert" });
  owner.form.appendChild(make("div", "group group-submit clearfix", null, [
    make("div", "wrapper wrapper-submit", null, [owner.button])]));
  owner.form.appendChild(owner.message);
  toggle(owner.form, "form-has-inputs", Boolean(owner.form.querySelector("input, select, iframe")));
  var after = containersAt(owner.place).filter(function (other) {
    return other.outer.parentNode && rankOf(other) > rankOf(owner);
  })[0];
  owner.place.box.insertBefore(owner.outer, after ? after.outer : null);
}

/* Stored accounts come first, then cards. */
function rankOf(owner) {
  var rank = KINDS.indexOf(owner.name);
  return rank === -1 ? KINDS.length : rank;
}

function containersAt(place) {
  return containers.filter(function (owner) { return owner.place === place; });
}

function hasContainer(place, name) {
  return containersAt(place).some(function (owner) { return owner.name === name; });
}

function dropContainer(owner) {
  var isOther = function (other) { return other !== owner; };
  drop(owner.outer);
  containers = containers.filter(isOther);
  drawn = drawn.filter(isOther);
  frames = frames.filter(function (frame) { return frame.owner !== owner; });
}

/* A field of a form: how it is shown, and which word says what is wrong with it. */
function addInput(owner, element, hint, problem) {
  var input = { element: element, hint: hint, problem: problem };
  owner.inputs.push(input);
  listen(element, element.tagName === "SELECT" ? "change" : "input", function () {
    if (!problem()) {
      setHint(element, hint, "");
      clearMessage(owner);
    }
  });
  listen(element, "blur", function () {
    if (element.value && validates()) {
      setHint(element, hint, problem() ? word(problem()) : "");
    }
  });
}

function validates() {
  return option("validation", true);
}

/* What was said below the form goes when no field is marked any more. */
function clearMessage(owner) {
  if (!owner.form.querySelector(".wpwl-has-error")) {
    owner.message.textContent = "";
  }
}

/* onReady is called when the frames of every form are there, and again for forms drawn later. */
function announce() {
  var isWaiting = frames.some(function (frame) {
    return !frame.isReady && has(drawn, frame.owner);
  });
  if (isWaiting || !places.length || (isReadyCalled && !drawn.length)) {
    return;
  }
  var ready = drawn;
  var isFirst = !isReadyCalled;
  drawn = [];
  isReadyCalled = true;
  callback("onReady", window, [ready.map(function (owner) {
    return { containerKey: owner.name, ccMethods: owner.brands };
  })]);
  if (isFirst) {
    focusNamed(option("autofocus", ""));
  }
}

/* Put the focus on the field that autofocus names, such as card.number. */
function focusNamed(name) {
  var fields = document.querySelectorAll(".wpwl-control");
  for (var i = 0; name && i < fields.length; i += 1) {
    if (fields[i].name === name || (name === "card.expiry" && has(fields[i].classList,
      "wpwl-control-expiry"))) {
      focusOn(fields[i]);
      return;
    }
  }
}

function brandName(brand) {
  var row = opened.brandRows[brand];
  return row ? row.name : brand;
}
