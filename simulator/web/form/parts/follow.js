/* On to the page of a bank or of 3-D Secure: in a frame in place of the form where a card pays or
   `inlineFlow` names the brand, else in the whole tab; `paymentTarget` names another window. The last
   page in a frame says that it ended. */
var WHOLE_TAB = ["_top", "_parent", "_self"];
var target = null;
var afterCall = null;
// Widths and heights of the windows that 3-D Secure names 1 to 4; 5 is the whole of it.
var WINDOWS = [null, ["250px", "400px"], ["390px", "400px"], ["500px", "600px"],
  ["600px", "400px"]];

function follow(owner, redirect) {
  var name = option("paymentTarget", "") || (staysInPage(owner) ? owner.id : "_top");
  if (!has(WHOLE_TAB, name)) {
    openTarget(owner, name);
  }
  var first = (redirect.preconditions || [])[0];
  var go = function () {
    afterCall = null;
    window.clearTimeout(timer);
    if (!isUnloaded) {
      submitTo(redirect, name);
    }
  };
  var timer = first ? window.setTimeout(go, METHOD_MS_MAX) : 0;
  if (first) {
    afterCall = go;
    post(relay, "call", {});
  } else {
    go();
  }
}

/* Where the shopper is asked while the form waits, and a button that leaves it for another way to
   pay: a frame of the form, or for another name one of the shop's, or a window. */
function openTarget(owner, name) {
  var back = make("button", "button button-cancel", { type: "button" }, [word("chooseAnother")]);
  var frame = name === owner.id ? targetFrame(owner) : null;
  closeTarget();
  target = {
    owner: owner, name: name, frame: frame, box: make("div", "target-box", null, [frame, back])
  };
  listen(back, "click", closeTarget);
  owner.form.style.display = "none";
  owner.box.appendChild(target.box);
  (frame || back).focus();
}

function targetFrame(owner) {
  var size = targetSize();
  var frame = make("iframe", "target", {
    name: owner.id, title: word("authentication"), frameborder: "0"
  });
  frame.style.cssText = "display:block;border:0;max-width:100%";
  frame.style.width = size[0];
  frame.style.height = size[1];
  listen(frame, "load", function () { callback("onLoadThreeDIframe", frame); });
  return frame;
}

/* The size of that frame: as the page wants it, else that of the window the bank is asked for. */
function targetSize() {
  var size = mapOption("threeDIframeSize");
  var window_ = WINDOWS[challengeWindow()] || ["100%", "580px"];
  return [size.width, size.height].map(function (length, at) {
    return length ? textFrom(length).replace(/^\d+$/, "$&px") : window_[at];
  });
}

function challengeWindow() {
  return Number(option("browser.threeDChallengeWindow", "0"));
}

function staysInPage(owner) {
  var row = opened.brandRows[owner.brand];
  return (row && row.account === "card") || has(listOption("inlineFlow"), owner.brand);
}

function closeTarget() {
  if (target) {
    drop(target.box);
    target.owner.form.style.display = "";
    setBusy(target.owner, false);
    target.owner.button.focus();
    target = null;
    askForOpening();
  }
}

/* Whether a page in the frame, or in a frame of that page, said that it ended. */
function isEnd(event) {
  var inside = target && (target.frame ? target.frame.contentWindow : window.frames[target.name]);
  if (!inside || (event.source !== inside && event.source.parent !== inside)) {
    return false;
  }
  try {
    var message = json.parse(event.data);
    return Boolean(message) && message.s === PROTOCOL && message.t === "ended";
  } catch (error) {
    return false;
  }
}

function submitTo(redirect, name) {
  var form = make("form", "", { method: redirect.method || "POST", action: redirect.url });
  (redirect.parameters || []).forEach(function (parameter) {
    form.appendChild(make("input", "", {
      type: "hidden", name: parameter.name, value: parameter.value
    }));
  });
  form.target = String(name);
  form.style.display = "none";
  document.body.appendChild(form);
  HTMLFormElement.prototype.submit.call(form);
  drop(form);
}
