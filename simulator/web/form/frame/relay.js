/* The relay: a hidden frame that speaks with the gateway for a form. The capability never leaves it,
   and the number and the code come to it from their own frames, past the page. */
(function () {
  "use strict";
  var secret = /^#([0-9a-f]{32})\./.exec(window.location.hash);
  var tell;
  var checkout = "";
  var capability = "";
  var isPaying = false;
  var rows = {};
  var method = null;

  function open(message) {
    checkout = String(message.checkout);
    send("/form/" + encodeURIComponent(checkout) + "/open",
      [["locale", message.locale], ["countries", Boolean(message.countries)]], "",
      function (status, answer) {
        if (status !== 200 || !answer) {
          tell("expired", { status: status, form: answer });
          return;
        }
        capability = answer.capability;
        delete answer.capability;
        rows = answer.brandRows;
        tell("opened", { form: answer });
      });
  }

  // The fields read this, which are of the same origin and ask with the same secret.
  window.brandRows = function (asked) { return secret && asked === secret[1] ? rows : null; };

  /* What was typed into the frames of one form. */
  function accountOf(owner) {
    var fields = [];
    var frames = window.parent.frames;
    for (var i = 0; i < frames.length; i += 1) {
      try {
        var field = typeof frames[i].account === "function" ? frames[i].account(secret[1], owner) : null;
        if (field && field[1]) {
          fields.push(field);
        }
      } catch (error) {
        // A frame of another origin holds no field.
        continue;
      }
    }
    return fields;
  }

  function browserFields() {
    var screen_ = window.screen;
    return [
      // What is longer, such as ca-valencia, is cut as on the page of 3-D Secure.
      ["customer.browser.language", (navigator.language || "en").substr(0, 8)],
      ["customer.browser.screenHeight", screen_.height],
      ["customer.browser.screenWidth", screen_.width],
      ["customer.browser.screenColorDepth", screen_.colorDepth],
      ["customer.browser.timezone", new Date().getTimezoneOffset()],
      ["customer.browser.userAgent", navigator.userAgent],
      ["customer.browser.javaEnabled", "false"],
      ["customer.browser.acceptHeader", "text/html"],
      ["customer.browser.challengeWindow", "5"]
    ];
  }

  function pay(message) {
    if (isPaying || !capability || !Array.isArray(message.fields)) {
      return;
    }
    var named = message.fields.map(function (field) { return field[0]; });
    var more = browserFields().filter(function (field) { return named.indexOf(field[0]) === -1; });
    var fields = message.fields.concat(accountOf(message.owner), more);
    var isKept = message.keep === true;
    isPaying = true;
    var path = isKept ? "/form/" + encodeURIComponent(checkout) + "/kept"
      : "/v1/checkouts/" + encodeURIComponent(checkout) + "/"
      + (message.kind === "registration" ? "registration" : "payment");
    send(path, fields, "Checkout " + capability, function (status, answer, request) {
      isPaying = false;
      capability = request.getResponseHeader("Sandgate-Capability") || capability;
      method = answer && answer.redirect && (answer.redirect.preconditions || [])[0];
      var result = outcome(status, answer, message.owner);
      result.end = isKept && status === 200 ? "kept" : result.end;
      tell("done", result);
    });
  }

  function outcome(status, answer, owner) {
    var result = answer && answer.result ? answer.result : {};
    var end = !answer ? "unknown"
      : status === 403 || status === 404 ? "expired"
      : status >= 500 ? "unknown"
      : answer.redirect ? "pending"
      : status === 200 || answer.id ? "final" : "refused";
    return {
      owner: owner, end: end, code: result.code || "", description: result.description || "",
      redirect: answer && answer.redirect ? answer.redirect : null,
      errors: (result.parameterErrors || []).map(function (error) {
        return { name: error.name, message: error.message };
      })
    };
  }

  /* The method of an issuer is called in a frame of the gateway, since a shop may allow no other;
     the gateway named it, not the page. */
  function call() {
    var target = method;
    if (!target || !/^https?:/.test(target.url)) {
      return;
    }
    var frame = document.createElement("iframe");
    var form = document.createElement("form");
    frame.name = "method";
    form.method = "POST";
    form.action = target.url;
    form.target = frame.name;
    target.parameters.forEach(function (parameter) {
      var input = document.createElement("input");
      input.type = "hidden";
      input.name = parameter.name;
      input.value = parameter.value;
      form.appendChild(input);
    });
    document.body.appendChild(frame);
    document.body.appendChild(form);
    form.submit();
    // A frame that is empty yet is loaded at once in some browsers, and none of them says which.
    window.setTimeout(function () {
      frame.addEventListener("load", function () { tell("called"); }, false);
    }, 0);
  }

  if (!secret || window.parent === window) {
    return;
  }
  tell = openChannel(secret[1], { open: open, pay: pay, call: call });
  tell("hello");
}());
