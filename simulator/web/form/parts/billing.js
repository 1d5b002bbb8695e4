/* The billing address, where the page asks for it, and the tax number. */
var ADDRESS = [
  ["street1", "address-line1", 95],
  ["street2", "address-line2", 100],
  ["city", "address-level2", 48],
  ["state", "address-level1", 50],
  ["postcode", "postal-code", 16],
  ["country", "country", 0]
];

function asksForAddress() {
  var given = option("billingAddress", null);
  return given !== null && typeof given === "object";
}

/* What the merchant has fixed is not asked for. */
function drawBilling(owner) {
  if (!asksForAddress()) {
    return;
  }
  var wrapper = make("div", "wrapper wrapper-billing");
  ADDRESS.forEach(function (asked) {
    if (!has(opened.fixed, "billing." + asked[0])) {
      wrapper.appendChild(addressField(owner, asked));
    }
  });
  if (wrapper.firstChild) {
    var id = "wpwl-billing-" + randomHex(8);
    owner.form.appendChild(make("div", "group group-billing clearfix",
      { role: "group", "aria-labelledby": id }, [
        make("div", "label label-billing", { id: id }, [word("billingAddress")]), wrapper]));
  }
}

function addressField(owner, asked) {
  var name = asked[0];
  var isMandatory = option("mandatoryBillingFields." + name, false);
  var given = option("billingAddress." + name, "");
  var attributes = {
    name: "billing." + name, autocomplete: "billing " + asked[1],
    "aria-required": isMandatory ? "true" : null
  };
  if (name !== "country") {
    attributes.type = "text";
    attributes.maxlength = asked[2];
    attributes.placeholder = placeholder(name);
  }
  var control = name === "country" ? countrySelect(attributes)
    : make("input", "control control-" + (name === "state" ? "stateText" : name), attributes);
  control.value = textFrom(given).substr(0, 100);
  if (name === "country") {
    control.value = textFrom(given).toUpperCase();
  }
  addInput(owner, control, name + "Error", function () {
    return isMandatory && !control.value.trim() ? "requiredError" : "";
  });
  return labelled(name, control);
}

/* Countries by the order of the shopper's alphabet. */
function countrySelect(attributes) {
  var countries = (opened.countries || []).slice().sort(function (one, other) {
    return one[1].localeCompare(other[1], opened.locale);
  });
  return make("select", "control control-country", attributes,
    [make("option", "", { value: "" }, [placeholder("country") || ""])].concat(
      countries.map(function (country) {
        return make("option", "", { value: country[0] }, [country[1]]);
      })));
}

function drawTaxNumber(owner) {
  if (option("showTaxNumberField", false)) {
    var control = make("input", "control control-taxNumber", {
      type: "text", name: "customer.identificationDocId", maxlength: "64",
      placeholder: placeholder("taxNumber")
    });
    owner.form.appendChild(group("taxNumber", word("taxNumber"), control));
    owner.form.appendChild(make("input", "", {
      type: "hidden", name: "customer.identificationDocType", value: "TAXSTATEMENT"
    }));
    addInput(owner, control, "taxNumberError", function () {
      return control.value.trim() ? "" : "requiredError";
    });
  }
}
