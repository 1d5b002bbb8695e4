/* Where forms stand in the page: elements of the class paymentWidgets that are there when the
   document is, or up to ten seconds later. */
var LATE_MS_MAX = 10000;
var LOOK_MS = 250;
var WARN_MS = 2000;
var places = [];
var observers = [];

function lookForPlaces(sinceMs) {
  var found = document.querySelectorAll(".paymentWidgets");
  for (var i = 0; i < found.length; i += 1) {
    addPlace(found[i]);
  }
  if (!places.length && sinceMs === WARN_MS) {
    warn("found no element of class paymentWidgets yet; write <form class=\"paymentWidgets\" "
      + "data-brands=\"VISA MASTER\"></form>; inside another <form> browsers drop it, so write "
      + "<div class=\"paymentWidgets\" data-brands=\"VISA MASTER\"></div> there");
  }
  if (sinceMs < LATE_MS_MAX) {
    later(function () { lookForPlaces(sinceMs + LOOK_MS); }, LOOK_MS);
  }
}

function addPlace(element) {
  if (places.some(function (place) { return place.element === element; })) {
    return;
  }
  var place = {
    element: element,
    number: places.length,
    brands: namedBrands(element.getAttribute("data-brands") || element.textContent),
    locale: element.getAttribute("data-locale") || "",
    action: element.getAttribute("action") || element.getAttribute("data-action") || "",
    box: null
  };
  places.push(place);
  if (opened) {
    drawPlace(place);
    announce();
  }
}

function namedBrands(text) {
  return String(text || "").split(/[\s,]+/).filter(function (brand) {
    return /^\w{1,32}$/.test(brand);
  });
}

/* The language an element asks for; English where none does. */
function ownLocale() {
  return places.length && places[0].locale ? places[0].locale : "en";
}

/* The box of a place stands where its element stood, until the form is unloaded. Each of the two
   may be given other brands by the page. */
function boxOf(place) {
  if (!place.box) {
    place.box = make("div", "", { "data-brands": place.brands.join(" ") });
    place.element.parentNode.replaceChild(place.box, place.element);
    observe(place, place.box);
    observe(place, place.element);
  }
  return place.box;
}

function observe(place, element) {
  if (window.MutationObserver) {
    var observer = new window.MutationObserver(function () {
      place.brands = namedBrands(element.getAttribute("data-brands"));
      redraw(place);
      announce();
    });
    observer.observe(element, { attributes: true, attributeFilter: ["data-brands"] });
    observers.push(observer);
  }
}

function leavePlaces() {
  observers.forEach(function (observer) { observer.disconnect(); });
  places.forEach(function (place) {
    if (place.box && place.box.parentNode) {
      place.box.parentNode.replaceChild(place.element, place.box);
    }
  });
}

/* The brands a place offers: those of its page, unless the gateway offers others to this shopper. */
function brandsAt(place) {
  if (!opened.active) {
    return place.brands.length ? place.brands : opened.brands;
  }
  return opened.override ? opened.brands : place.brands.filter(function (brand) {
    return has(opened.brands, brand);
  });
}

/* A later answer may offer other brands than the first. */
function takeOpened(form) {
  var isFirst = !opened;
  opened = form;
  describeCheckout();
  if (isFirst) {
    // A form that came later than expected takes the place of the words that say so.
    places.forEach(function (place) { boxOf(place).textContent = ""; });
    isFailed = false;
    warnOfUnknownOptions();
    warnOfUnknownLocale();
    loadStyle();
    places.forEach(drawPlace);
  } else {
    places.forEach(redraw);
  }
  announce();
}

function redraw(place) {
  if (opened && place.shown !== brandsAt(place).join(" ")) {
    drawPlace(place);
  }
}

/* Draw what a place offers. A form that the shopper has begun to fill in stays as it is. */
function drawPlace(place) {
  var box = boxOf(place);
  var cards = [];
  var others = [];
  box.lang = opened.locale;
  box.dir = opened.direction;
  toggle(box, "dark", isDarkAt(box));
  place.shown = brandsAt(place).join(" ");
  containersAt(place).forEach(function (owner) {
    if (!owner.isFilled && !owner.isBusy) {
      dropContainer(owner);
    }
  });
  brandsAt(place).forEach(function (brand) {
    var row = opened.brandRows[brand];
    if (!row) {
      report("WidgetError", "unknown brand " + brand, { brand: brand });
    } else {
      (row.account === "card" ? cards : others).push(brand);
    }
  });
  if (opened.registrations.length && place === places[0] && !hasContainer(place, "registration")) {
    drawStored(place);
  }
  if (cards.length && !hasContainer(place, "card")) {
    drawCard(place, cards);
  }
  others.forEach(function (brand) {
    if (!hasContainer(place, formOf(brand) + "-" + brand)) {
      drawAccount(place, brand);
    }
  });
  hideInitialForms();
}

/* Whether the page shows light text, as pages do that follow a shopper who prefers them dark. */
function isDarkAt(element) {
  var color = /(\d+)\D+(\d+)\D+(\d+)/.exec(window.getComputedStyle(element).color);
  return Boolean(color) && Number(color[1]) + Number(color[2]) + Number(color[3]) > 450;
}

function loadStyle() {
  if (option("style", "card") === "none" || document.getElementById("wpwl-style")) {
    return;
  }
  document.head.appendChild(make("link", "", {
    id: "wpwl-style", rel: "stylesheet", href: base + "form/style.css"
  }));
}

/* There is nothing to draw, or no longer: say so where the form would be, and report it to the
   page. */
function fail(name, message) {
  report(name, message);
  loadStyle();
  places.forEach(function (place) {
    var box = boxOf(place);
    box.lang = (opened || closing).locale;
    box.dir = (opened || closing).direction;
    box.textContent = "";
    box.appendChild(make("p", "message message-error", { role: "alert" }, [message]));
  });
  containers = [];
  isFailed = true;
}
