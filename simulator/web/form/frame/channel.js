/* The messages of a frame and the page around it. They are taken from the parent alone, with the
   secret that both were given, and answered to the origin that spoke first. */
var MESSAGE_LENGTH_MAX = 65536;

function openChannel(secret, handlers) {
  var page = "*";

  function take(event) {
    if (event.source !== window.parent || (page !== "*" && event.origin !== page)
        || typeof event.data !== "string" || event.data.length > MESSAGE_LENGTH_MAX) {
      return;
    }
    var message;
    try {
      message = JSON.parse(event.data);
    } catch (error) {
      return;
    }
    if (!message || message.s !== 1 || message.w !== secret
        || !Object.prototype.hasOwnProperty.call(handlers, message.t)) {
      return;
    }
    page = event.origin === "null" ? "*" : event.origin;
    handlers[message.t](message);
  }

  window.addEventListener("message", take, false);
  return function (type, content) {
    var message = content || {};
    message.s = 1;
    message.w = secret;
    message.t = type;
    window.parent.postMessage(JSON.stringify(message), page);
  };
}
