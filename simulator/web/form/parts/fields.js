/* Fields in frames of the gateway: what they are sent, and what they say of what is typed. */
var COPIED = ["color", "fontFamily", "fontSize", "fontStyle", "fontWeight", "letterSpacing",
  "lineHeight", "textAlign", "backgroundColor"];

/* The frame a number or a code is typed into. Its border and colors are those of its element. */
function fieldFrame(owner, role, name, label) {
  return openFrame(role, role, {
    "class": "wpwl-control wpwl-control-iframe wpwl-control-" + label,
    name: name, title: word(label), frameborder: "0", scrolling: "no", height: "44",
    placeholder: placeholder(label)
  }, owner);
}

/* A frame that was loaded, or loaded again after the page moved it, is sent what it needs. */
function setUp(frame) {
  var isNumber = frame.role === "number";
  var label = isNumber ? "cardNumber" : "cvv";
  frame.isReady = true;
  frame.isTyped = false;
  post(frame, "setup", {
    lang: opened.locale,
    placeholder: placeholder(label) || "",
    style: computedStyle(frame.element),
    placeholderStyle: styleWords(
      mapOption("iframeStyles")[isNumber ? "card-number-placeholder" : "cvv-placeholder"]),
    mask: !isNumber && option("maskCvv", false),
    grouping: option("numberFormatting", true),
    required: isNumber || !option("allowEmptyCvv", false),
    offered: frame.owner.brands
  });
  describe(frame);
  callback("onReadyIframeCommunication", communication(frame));
  announce();
}

/* What may change while a frame stands: its name, which its page may have changed, the brand, what
   is said about it, and whether the page wants the first digits. */
function describe(frame) {
  var labelId = frame.element.getAttribute("aria-labelledby");
  var label = labelId && document.getElementById(labelId);
  var hint = frame.element.parentNode && frame.element.parentNode.querySelector(".wpwl-hint");
  post(frame, "describe", {
    label: label ? label.textContent : frame.element.title,
    brand: frame.owner.brand,
    hint: hint ? hint.textContent : frame.role === "cvv" && frame.owner.codeHint
      ? frame.owner.codeHint.textContent : "",
    invalid: Boolean(hint),
    bin: frame.role === "number" && typeof options().onDetectBin === "function"
  });
}

function computedStyle(element) {
  var computed = window.getComputedStyle(element);
  var style = {};
  for (var i = 0; i < COPIED.length; i += 1) {
    style[COPIED[i]] = String(computed[COPIED[i]]).substr(0, 200);
  }
  return style;
}

function styleWords(declared) {
  var style = {};
  var isMap = declared !== null && typeof declared === "object";
  each(isMap ? declared : {}, function (name, value) {
    style[String(name).substr(0, 40)] = textFrom(value).substr(0, 200);
  });
  return style;
}

/* The shopper typed: a hint goes as soon as the value is right, and the brand follows the number. */
function typed(frame, message) {
  var owner = frame.owner;
  frame.isTyped = !message.empty;
  owner.isFilled = owner.isFilled || frame.isTyped;
  if (!message.key) {
    showFieldError(frame, "");
    clearMessage(owner);
  }
  if (frame.role === "number") {
    detectBrand(owner, message);
  }
}

function detectBrand(owner, message) {
  var brands = Array.isArray(message.brands) ? byPriority(message.brands.filter(function (brand) {
    return has(owner.brands, brand);
  })) : [];
  if (typeof message.bin === "string" && (owner.bin || "") !== message.bin) {
    owner.bin = message.bin;
    callback("onDetectBin", owner.form, [message.bin]);
  }
  if (!option("brandDetection", false) || owner.detected === brands.join(" ")) {
    return;
  }
  owner.detected = brands.join(" ");
  if (brands.length && !has(brands, owner.brand)) {
    chooseBrand(owner, brands[0]);
  }
  callback("onDetectBrand", owner.form, [brands, has(brands, owner.brand) ? owner.brand : ""]);
}

/* Where several brands match, those the page prefers come first. */
function byPriority(brands) {
  var preferred = listOption("brandDetectionPriority");
  return preferred.filter(function (brand) { return has(brands, brand); })
    .concat(brands.filter(function (brand) { return !has(preferred, brand); }));
}

function showFieldError(frame, key) {
  setHint(frame.element, frame.role === "number" ? "cardNumberError" : "cvvError",
    key ? word(key) : "");
  describe(frame);
}
