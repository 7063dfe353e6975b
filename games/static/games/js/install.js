/* A button that installs the site, where the browser offers it; elsewhere the words say how. */
"use strict";
(() => {
  const button = document.querySelector("[data-install]");
  const done = document.querySelector("[data-installed]");
  if (matchMedia("(display-mode: standalone)").matches) done.hidden = false;
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    button.hidden = false;
    button.addEventListener("click", () => event.prompt(), { once: true });
  });
  addEventListener("appinstalled", () => {
    button.hidden = true;
    done.hidden = false;
  });
})();
