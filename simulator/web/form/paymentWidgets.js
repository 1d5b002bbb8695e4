/* The script of the hosted form. This release serves the calls behind the form, and no form yet: in
   each place for one it says so, and names the call that takes the payment. */
(function () {
  "use strict";
  var source = document.currentScript ? document.currentScript.src : "";
  var named = /[?&]checkoutId=([A-Za-z0-9.-]+)(\/registration)?/.exec(source);
  var end = named && named[2] ? "registration" : "payment";
  var path = "v1/checkouts/" + (named ? named[1] : "{id}") + "/" + end;
  var words = "This release of the gateway has no payment form yet. POST " + path + " takes the data.";
  function tell() {
    var places = document.querySelectorAll("form.paymentWidgets");
    for (var i = 0; i < places.length; i += 1) {
      places[i].appendChild(document.createElement("p")).textContent = words;
    }
  }
  if (document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", tell);
  } else {
    tell();
  }
})();
