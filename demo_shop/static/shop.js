/* New lines of the timeline appear as they happen; card numbers can be copied. */
(function () {
  "use strict";
  var timeline = document.getElementById("timeline");

  function look() {
    if (document.hidden) {
      return;
    }
    var request = new XMLHttpRequest();
    request.open("GET", timeline.getAttribute("data-entries") + "?after="
      + timeline.querySelectorAll(".entry").length);
    request.timeout = 10000;
    request.onload = function () {
      if (request.status === 200 && request.responseText.trim()) {
        // The server escaped every value.
        timeline.insertAdjacentHTML("beforeend", request.responseText);
      }
    };
    request.onloadend = function () { window.setTimeout(look, 1000); };
    request.send();
  }

  document.addEventListener("visibilitychange", look);
  window.setTimeout(look, 500);

  [].forEach.call(document.querySelectorAll(".copy"), function (button) {
    button.addEventListener("click", function () {
      navigator.clipboard.writeText(button.getAttribute("data-copy")).then(function () {
        button.firstChild.textContent = "Copied";
      });
    });
  });
}());
