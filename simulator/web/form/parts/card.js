/* The card form: brand, number, expiry date, holder, code. Number and code are frames. */
function drawCard(place, brands) {
  var owner = newContainer(place, "card", brands);
  owner.form.appendChild(brandGroup(owner));
  owner.number = fieldFrame(owner, "number", "card.number", "cardNumber");
  owner.form.appendChild(group("cardNumber", word("cardNumber"), owner.number.element));
  drawExpiry(owner);
  drawHolder(owner);
  owner.code = fieldFrame(owner, "cvv", "card.cvv", "cvv");
  owner.form.appendChild(group("cvv", word("cvv"), owner.code.element));
  if (option("showCVVHint", false)) {
    owner.codeHint = make("p", "hint-cvv");
    owner.form.lastChild.lastChild.appendChild(owner.codeHint);
  }
  drawBilling(owner);
  drawTaxNumber(owner);
  finishContainer(owner);
  callback("onChangeBrand", owner.form, [""]);
  chooseBrand(owner, brands[0]);
}

function brandGroup(owner) {
  owner.select = make("select", "control control-brand", { name: "paymentBrand" },
    owner.brands.map(function (brand) {
      return make("option", "", { value: brand }, [brandName(brand)]);
    }));
  owner.picture = make("div", "", { "aria-hidden": "true" });
  listen(owner.select, "change", function () { chooseBrand(owner, owner.select.value); });
  var made = group("brand", word("brand"), owner.select);
  made.lastChild.appendChild(owner.picture);
  return made;
}

function drawExpiry(owner) {
  owner.expiry = make("input", "control control-expiry", {
    type: "text", inputmode: "numeric", autocomplete: "cc-exp", maxlength: "9",
    placeholder: placeholder("mmyy"), "data-action": "blur-card-expiry", dir: "ltr"
  });
  owner.form.appendChild(group("expiry", word("expiryDate"), owner.expiry));
  var problem = function () {
    return expiryError(owner.expiry.value, new Date(),
      option("disableCardExpiryDateValidation", false));
  };
  listen(owner.expiry, "input", function () { formatExpiry(owner.expiry); });
  addInput(owner, owner.expiry, "expiryError", problem);
  listen(owner.expiry, "blur", function () {
    callback("onBlurExpiryDate", owner.form, [!problem()]);
  });
}

/* The holder is one field, or where the page wants it a given name and a surname. */
function drawHolder(owner) {
  var isSplit = option("forceCardHolderEqualsBillingName", false);
  var fields = isSplit ? [["customer.givenName", "givenName"], ["customer.surname", "surname"]]
    : [["card.holder", "cardHolder"]];
  owner.holders = fields.map(function (asked) {
    var isFixed = has(opened.fixed, asked[0]) && isSplit;
    var control = make("input", "control control-" + asked[1], {
      type: "text", name: isFixed ? null : asked[0], maxlength: "128",
      autocomplete: { givenName: "given-name", surname: "family-name" }[asked[1]] || "cc-name",
      placeholder: placeholder(asked[1])
    });
    control.value = isSplit ? "" : opened.prefilled["card.holder"] || "";
    listenToHolder(owner, control, isSplit ? 1 : 3);
    return control;
  });
  var first = group("cardHolder", word("cardHolder"), owner.holders[0]);
  if (isSplit) {
    var wrapper = first.lastChild;
    wrapper.textContent = "";
    wrapper.className += " wpwl-names";
    owner.holders.forEach(function (control, at) {
      wrapper.appendChild(labelled(fields[at][1], control));
    });
  }
  owner.form.appendChild(first);
}

function listenToHolder(owner, control, lengthMin) {
  var problem = function () {
    var length = control.value.trim().length;
    return length >= lengthMin || (!length && option("allowEmptyCardHolderName", false))
      ? "" : "cardHolderError";
  };
  addInput(owner, control, "cardHolderError", problem);
  listen(control, "blur", function () {
    callback("onBlurCardHolder", owner.form, [!problem()]);
  });
}

function chooseBrand(owner, brand) {
  owner.brand = brand || "";
  owner.select.value = owner.brand;
  showBadge(owner.picture, owner.brand);
  if (owner.codeHint) {
    var row = opened.brandRows[owner.brand];
    owner.codeHint.textContent = word(owner.brand === "MAESTRO" ? "cvvHintMaestro"
      : row && row.cvv === 4 ? "cvvHintAmex" : "cvvHint");
  }
  [owner.number, owner.code].forEach(function (frame) {
    if (frame.isReady) {
      describe(frame);
    }
  });
  callback("onChangeBrand", owner.form, [owner.brand]);
}

/* The name of a brand in a box, which is no file to load; where the page gives these classes a
   picture, that is shown. */
function showBadge(picture, brand) {
  picture.className = "wpwl-brand wpwl-brand-card wpwl-brand-" + brand;
  var isOwn = window.getComputedStyle(picture).backgroundImage !== "none";
  toggle(picture, "badge", !isOwn);
  picture.textContent = isOwn || option("style", "card") === "none" ? "" : brandName(brand);
}

function formatExpiry(input) {
  // A month of one digit, as a page writes it that it is pasted from.
  input.value = input.value.replace(/^\s*([1-9])\s*(?=[\/.\-])/, "0$1");
  var digits = digitsOf(input.value).substr(0, 6);
  var isErasing = input.value.length < (input.lastValue || "").length;
  if (!isErasing && digits.length >= 2) {
    var isLong = digits.length === 6 && digits.substr(2, 2) === "20";
    input.value = digits.substr(0, 2) + " / " + (isLong ? digits.substr(4) : digits.substr(2, 4));
  }
  input.lastValue = input.value;
}

/* Month and year of what was typed as 1228, 12/28, 12 / 2028; null where it is neither. */
function expiryOf(text) {
  var found = /^(\d{2})(?:20)?(\d{2})$/.exec(digitsOf(text));
  return found ? { month: found[1], year: "20" + found[2] } : null;
}

function expiryError(text, now, isPastAllowed) {
  if (!digitsOf(text)) {
    return "expiryEmptyError";
  }
  var expiry = expiryOf(text);
  if (!expiry || Number(expiry.month) < 1 || Number(expiry.month) > 12) {
    return "expiryMonthError";
  }
  var ends = new Date(Number(expiry.year), Number(expiry.month), 1);
  return isPastAllowed || ends > now ? "" : "expiryYearError";
}
