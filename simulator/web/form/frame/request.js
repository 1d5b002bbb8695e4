/* A form posted to the gateway by a page of its own, and what it answers; status 0 where it does not.
   What waited too long counts as no answer. */
var ANSWER_MS_MAX = 120000;

/* Half a sign, which no text has, is written as an unknown one. */
function encoded(value) {
  try {
    return encodeURIComponent(value);
  } catch (error) {
    return encodeURIComponent(String(value).replace(/[\uD800-\uDFFF]/g, "\uFFFD"));
  }
}

function send(path, fields, authorization, then) {
  var request = new XMLHttpRequest();
  // Beside this page: a gateway may stand below a path of another server.
  request.open("POST", ".." + path);
  request.timeout = ANSWER_MS_MAX;
  request.setRequestHeader("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8");
  if (authorization) {
    request.setRequestHeader("Authorization", authorization);
  }
  request.onload = function () {
    var answer = null;
    try {
      answer = JSON.parse(request.responseText);
    } catch (error) {
      answer = null;
    }
    then(request.status, answer, request);
  };
  request.onerror = request.ontimeout = function () { then(0, null, request); };
  request.send(fields.map(function (field) {
    return encoded(field[0]) + "=" + encoded(field[1]);
  }).join("&"));
}
