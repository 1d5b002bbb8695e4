/* The sheet of a wallet, in a frame of the form: the token of the chosen card leaves it for the relay
   alone, which reads it through `account`. */
(function () {
  "use strict";
  var secret = /^#([0-9a-f]{32})\.(\w*)$/.exec(window.location.hash);
  var form = document.querySelector("form");
  var cancel = document.querySelector("button.other");
  var token = "";
  var tell;

  function say(text) {
    document.querySelector("[role=alert]").textContent = text;
  }

  function authorize() {
    var pay = form.querySelector("button.main");
    var chosen = form.querySelector("input:checked");
    if (pay.disabled || !chosen) {
      return;
    }
    pay.disabled = true;
    say("");
    send(/\/[^\/]+\/wallet$/.exec(window.location.pathname)[0], [["brand", form.getAttribute("data-brand")],
      ["card", chosen.value]], "", function (status, answer) {
      if (status === 200 && answer && answer.token) {
        token = answer.token;
        tell("authorized");
        return;
      }
      pay.disabled = false;
      say(form.getAttribute(status === 404 ? "data-expired" : "data-failed"));
    });
  }

  if (!secret || window.parent === window) {
    return;
  }
  window.account = function (asked, owner) {
    return token && asked === secret[1] && owner === secret[2]
      ? ["mobileWallet.paymentToken", token] : null;
  };
  tell = openChannel(secret[1], {});
  cancel.addEventListener("click", function () { tell("cancel"); }, false);
  document.addEventListener("keydown", function (event) {
    if (event.keyCode === 27) {
      tell("cancel");
    }
  }, false);
  if (form) {
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      authorize();
    }, false);
  }
  [].forEach.call(document.querySelectorAll("button"), function (button) { button.disabled = false; });
  tell("hello");
}());
