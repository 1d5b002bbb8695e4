/* The options of the form: the page chose language and style. */
window.wpwlOptions = {
  locale: document.currentScript.getAttribute("data-locale"),
  style: document.currentScript.getAttribute("data-style"),
  brandDetection: true,
  registrations: { requireCvv: false }
};
