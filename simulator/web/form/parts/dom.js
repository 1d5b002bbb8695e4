/* Elements, made one by one: nothing a page or a shopper wrote is ever read as HTML. */
var listeners = [];
var timers = [];

function listen(target, type, handler) {
  target.addEventListener(type, handler, false);
  listeners.push([target, type, handler]);
}

function stopListening() {
  for (var i = 0; i < listeners.length; i += 1) {
    listeners[i][0].removeEventListener(listeners[i][1], listeners[i][2], false);
  }
  listeners = [];
  timers.forEach(function (timer) { window.clearTimeout(timer); });
  timers = [];
}

/* Call a function after some time, unless the form is unloaded before. */
function later(run, ms) {
  var timer = window.setTimeout(function () {
    timers.splice(timers.indexOf(timer), 1);
    run();
  }, ms);
  timers.push(timer);
  return timer;
}

/* An element with the class names "a b" as wpwl-a and wpwl-b, attributes and children. */
function make(tag, names, attributes, children) {
  var element = document.createElement(tag);
  if (names) {
    element.className = "wpwl-" + names.split(" ").join(" wpwl-");
  }
  each(attributes, function (name, value) {
    if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  });
  for (var i = 0; children && i < children.length; i += 1) {
    if (children[i]) {
      element.appendChild(typeof children[i] === "string"
        ? document.createTextNode(children[i]) : children[i]);
    }
  }
  return element;
}

function each(map, visit) {
  for (var name in map) {
    if (Object.prototype.hasOwnProperty.call(map, name)) {
      visit(name, map[name]);
    }
  }
}

function drop(element) {
  if (element && element.parentNode) {
    element.parentNode.removeChild(element);
  }
}

function toggle(element, name, isOn) {
  if (isOn) {
    element.classList.add("wpwl-" + name);
  } else {
    element.classList.remove("wpwl-" + name);
  }
}

function has(list, value) {
  return Array.prototype.indexOf.call(list, value) !== -1;
}

/* A group of a form: its label beside what is typed into, and a place for a hint. */
function group(name, label, control) {
  var id = "wpwl-" + name + "-" + randomHex(8);
  var shown = make("div", "label label-" + name + (option("showLabels", true) ? "" : " hidden"),
    { id: id }, [label]);
  control.setAttribute("aria-labelledby", id);
  return make("div", "group group-" + name + " clearfix", null, [
    shown,
    make("div", "wrapper wrapper-" + name, null, [control])
  ]);
}

/* One of several controls of a group, with a label of its own. */
function labelled(name, control) {
  control.id = "wpwl-" + name + "-" + randomHex(8);
  control.removeAttribute("aria-labelledby");
  return make("div", "sup-wrapper sup-wrapper-" + name, null, [
    make("label", "label label-" + name + (option("showLabels", true) ? "" : " hidden"),
      { "for": control.id }, [word(name)]),
    control
  ]);
}

/* Say what is wrong with a control below it, or with an empty text nothing. */
function setHint(control, name, text) {
  var wrapper = control.parentNode;
  var hint = wrapper && wrapper.querySelector(".wpwl-hint");
  if (!wrapper || (hint && hint.textContent === text) || (!hint && !text)) {
    return;
  }
  drop(hint);
  toggle(control, "has-error", Boolean(text));
  control.setAttribute("aria-invalid", text ? "true" : "false");
  if (text) {
    var id = "wpwl-hint-" + randomHex(8);
    wrapper.appendChild(make("div", "hint hint-" + name, { id: id }, [text]));
    control.setAttribute("aria-describedby", id);
  } else {
    control.removeAttribute("aria-describedby");
  }
}
