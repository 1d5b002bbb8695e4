/* What pages call. Loading the script again unloads what was loaded before. */
function unload() {
  isUnloaded = true;
  stopListening();
  leavePlaces();
  drop(relay && relay.element);
  closeSheet();
  frames = [];
  containers = [];
  if (window.wpwl === api) {
    window.wpwl = undefined;
  }
}

function executePayment(classes) {
  var wanted = textFrom(classes || "").split(/[.\s]+/).filter(function (name) {
    return name.indexOf("wpwl-container") === 0;
  });
  var found = containers.filter(function (owner) {
    return wanted.length && wanted.every(function (name) {
      return owner.box.classList.contains(name);
    });
  });
  if (found.length) {
    press(found[0]);
  } else {
    warn("executePayment: no form " + classes);
  }
}

var api = {
  unload: unload,
  executePayment: executePayment,
  checkout: null
};

function describeCheckout() {
  api.checkout = {
    id: checkout,
    amount: opened.amount,
    currency: opened.currency,
    endpoint: base,
    resourcePath: "/v1/checkouts/" + checkout + "/" + kind,
    config: {
      brandConfig: {
        brands: opened.brands, overrideShopBrands: opened.override, activateBrands: opened.active
      },
      registrations: opened.registrations
    }
  };
}

if (window.wpwl && typeof window.wpwl.unload === "function") {
  window.wpwl.unload();
}
window.wpwl = api;
start();
