// Say in words what allauth's scripts would only write to the console.
(() => {
  "use strict";
  document.addEventListener("allauth.error", (event) => {
    const place = document.getElementById("passkey-error");
    if (!place) return;
    event.preventDefault();
    place.textContent = place.dataset.text;
  });
})();
