/* Forms of other accounts: what each asks for is a row, with the rule of its value and, where it
   is not 128, how long it may be. A brand that
   redirects asks nothing, nor does one whose shopper sends the money himself. */
var ASKED = {
  directDebit: [
    ["bankAccount.holder", "accountHolder", "name", /^.{4,128}$/],
    ["bankAccount.iban", "iban", "off", isIban],
    ["bankAccount.bic", "bic", "off", /^[A-Za-z]{6}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?$/]
  ],
  virtual: [["virtualAccount.accountId", "accountNumber", "email", /^.{1,100}$/, "100"]]
};
// What shoppers type between the signs of an account, and the gateway takes for no part of it.
var COMPACT = ["bankAccount.iban", "bankAccount.bic"];

/* Whether the check digits of an IBAN are right: it is read as a number, piece by piece. */
function isIban(text) {
  if (!/^[A-Za-z]{2}\d{2}[A-Za-z0-9]{11,27}$/.test(text)) {
    return false;
  }
  var turned = (text.substr(4) + text.substr(0, 4)).toUpperCase();
  var rest = 0;
  for (var i = 0; i < turned.length; i += 1) {
    var value = parseInt(turned.charAt(i), 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

function valueOf(control) {
  var text = control.value.trim();
  return has(COMPACT, control.name) ? text.replace(/[\s\-]/g, "") : text;
}

/* Which word says what is wrong with a field of an account; empty where nothing is. */
function accountProblem(asked, control) {
  var text = valueOf(control);
  var rule = asked[3];
  var fits = typeof rule === "function" ? rule(text) : rule.test(text);
  return !text ? "requiredError" : fits ? "" : asked[1] + "Error";
}

/* The form of a brand: accounts with a provider are virtual, banks that redirect transfer online. */
function formOf(brand) {
  var row = opened.brandRows[brand];
  if (row.account !== "bank") {
    return "virtualAccount";
  }
  if (brand === "PREPAYMENT") {
    return "prepayment";
  }
  return row.redirects ? "onlineTransfer" : "directDebit";
}

function askedOf(name, brand) {
  var row = opened.brandRows[brand];
  var asked = ASKED[name === "virtualAccount" ? row.account : name] || [];
  return row.redirects ? [] : asked.filter(function (each_) {
    return each_[1] !== "bic" || option("displayBic", true);
  });
}

function drawAccount(place, brand) {
  var name = formOf(brand);
  var owner = newContainer(place, name + "-" + brand, [brand]);
  owner.form.appendChild(make("input", "", { type: "hidden", name: "paymentBrand", value: brand }));
  owner.form.appendChild(make("div", "group group-brand clearfix", null, [
    make("div", "label label-brand", null, [fill("payWith", brandName(brand))])]));
  askedOf(name, brand).forEach(function (asked) {
    var control = make("input", "control control-" + asked[1], {
      type: "text", name: asked[0], autocomplete: asked[2], maxlength: asked[4] || "128",
      placeholder: placeholder(asked[1])
    });
    owner.form.appendChild(group(asked[1], word(asked[1]), control));
    addInput(owner, control, asked[1] + "Error", function () {
      return accountProblem(asked, control);
    });
  });
  finishContainer(owner);
}
