/* Where the script came from says which gateway and which checkout it is for. */
var MESSAGE_LENGTH_MAX = 65536;
var PROTOCOL = 1;
var METHOD_MS_MAX = 10000;
var CHECKOUT = /^(.*\/)v1\/paymentWidgets\.js\?(?:[^#]*&)?checkoutId=([A-Za-z0-9.\-]{1,64})((?:\/|%2[Ff])registration)?(?:[&#]|$)/;
var ENGLISH = {
  expired: "This payment page has expired. Please go back to the shop and start again",
  failed: "The payment form could not be loaded. Please reload the page"
};
// What a form says that is not opened: in English, unless the gateway answered.
var closing = { locale: "en", direction: "ltr", words: ENGLISH };

var source = CHECKOUT.exec(ownSource());
var base = source ? source[1] : "";
var checkout = source ? source[2] : "";
var kind = source && source[3] ? "registration" : "payment";
var gateway = originOf(base);
var secret = randomHex(32);
var opened = null;
var isFailed = false;
var isUnloaded = false;

function ownSource() {
  if (document.currentScript && document.currentScript.src) {
    return document.currentScript.src;
  }
  var scripts = document.getElementsByTagName("script");
  for (var i = scripts.length - 1; i >= 0; i -= 1) {
    if (scripts[i].src && scripts[i].src.indexOf("paymentWidgets.js") !== -1) {
      return scripts[i].src;
    }
  }
  return "";
}

function originOf(address) {
  var link = document.createElement("a");
  link.href = address;
  var port = /:(\d+)$/.exec(link.host);
  var isDefault = port && port[1] === (link.protocol === "https:" ? "443" : "80");
  return link.protocol + "//" + (isDefault ? link.host.replace(/:\d+$/, "") : link.host);
}

function randomHex(length) {
  var bytes = new Uint8Array(length / 2);
  (window.crypto || window.msCrypto).getRandomValues(bytes);
  var text = "";
  for (var i = 0; i < bytes.length; i += 1) {
    text += (bytes[i] < 16 ? "0" : "") + bytes[i].toString(16);
  }
  return text;
}

/* Options may be set after the script's tag, in a handler of the page that waits for its document:
   one more turn lets it run first. */
function start() {
  if (document.readyState === "loading") {
    listen(document, "DOMContentLoaded", function () { window.setTimeout(begin, 0); });
  } else {
    window.setTimeout(begin, 0);
  }
}

function begin() {
  if (isUnloaded) {
    return;
  }
  lookForPlaces(0);
  listen(window, "message", receive);
  openRelay();
}
