/* Wallets: pay opens the sheet of the wallet provider, a frame of the gateway over the page. What the
   sheet returns goes to the relay; the page is sent that it is there. */
var sheet = null;

function isWallet(owner) {
  var row = opened.brandRows[owner.brand];
  return Boolean(row) && row.account === "wallet";
}

function openSheet(owner) {
  closeSheet();
  var page = checkout + "/wallet?brand=" + encodeURIComponent(owner.brand)
    + "&locale=" + encodeURIComponent(opened.locale);
  var frame = openFrame("sheet", page, {
    "class": "wpwl-sheet", title: fill("payWith", brandName(owner.brand)), frameborder: "0"
  }, owner);
  frame.isReady = true;
  frame.element.style.cssText = "display:block;width:100%;max-width:440px;height:600px;"
    + "max-height:100%;border:0;border-radius:12px;background:#ffffff";
  var box = make("div", "sheet-box", {
    role: "dialog", "aria-modal": "true", "aria-label": fill("payWith", brandName(owner.brand))
  }, [frame.element]);
  box.style.cssText = "position:fixed;top:0;right:0;bottom:0;left:0;z-index:2147483000;display:flex;"
    + "align-items:center;justify-content:center;padding:12px;background:rgba(16,22,32,.6)";
  sheet = { owner: owner, frame: frame, box: box };
  document.body.appendChild(box);
  listen(box, "keydown", function (event) {
    if (event.keyCode === 27) {
      cancelSheet();
    }
  });
  frame.element.focus();
}

function closeSheet() {
  if (sheet) {
    drop(sheet.box);
    frames = frames.filter(function (frame) { return frame !== sheet.frame; });
    sheet = null;
  }
}

/* The shopper changed his mind: the form is as it was. */
function cancelSheet() {
  if (sheet) {
    var owner = sheet.owner;
    closeSheet();
    setBusy(owner, false);
    owner.button.focus();
  }
}

var FROM_SHEET = {
  hello: function () { return; },
  authorized: function (frame) {
    submit(frame.owner);
  },
  cancel: cancelSheet
};
