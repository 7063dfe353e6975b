/* Conveniences on top of pages that work without them. */
"use strict";
(() => {
  const language = document.documentElement.lang || "en";

  /* Time left, counted down in the words of the page's language. */
  function span(milliseconds) {
    const minutes = Math.max(0, Math.floor(milliseconds / 60000));
    const days = Math.floor(minutes / 1440);
    const hours = Math.floor((minutes % 1440) / 60);
    const duration = {};
    if (days) duration.days = days;
    if (hours) duration.hours = hours;
    if (!days && minutes) duration.minutes = minutes % 60;
    return { minutes, text: new Intl.DurationFormat(language, { style: "long" }).format(duration) };
  }
  function countDown() {
    for (const element of document.querySelectorAll("[data-countdown]")) {
      const { minutes, text } = span(Date.parse(element.dataset.countdown) - Date.now());
      // Below a minute the server's words stay: the page is about to change anyway.
      if (minutes) element.textContent = element.dataset.pattern.replace("%s", text);
    }
  }
  if (Intl.DurationFormat) setInterval(countDown, 30000);

  /* Nobody is signed in: what was seen of tables is nobody's. */
  try {
    if (!document.documentElement.dataset.reader) localStorage.removeItem("perudo-seen");
  } catch {
    // Kept out of storage: then nothing was remembered either.
  }

  /* Copy a link; the button shows up only where it can work. */
  function offerCopy(root) {
    if (!navigator.clipboard) return;
    for (const button of root.querySelectorAll("[data-copy][hidden]")) {
      button.hidden = false;
      button.addEventListener("click", async () => {
        const field = document.getElementById(button.dataset.copy);
        try {
          await navigator.clipboard.writeText(field.value);
          button.textContent = button.dataset.done;
        } catch {
          field.select();
        }
      });
    }
  }

  /* A form is sent once. The server refuses a second move anyway; this spares the reader the refusal. */
  const sendOnce = (event) => {
    const form = event.target;
    if (form.method !== "post") return;
    if (form.classList.contains("is-sent")) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else form.classList.add("is-sent");
  };
  // Captured, to come before htmx, which listens on the form itself.
  document.addEventListener("submit", sendOnce, true);
  const unlock = () => {
    for (const form of document.querySelectorAll("form.is-sent")) form.classList.remove("is-sent");
  };
  addEventListener("pageshow", unlock);
  document.addEventListener("htmx:afterRequest", unlock);

  /* The browser's own share of the dice, made here and sent once (docs/pf1.md). */
  function contribute(root) {
    const form = root.querySelector("form[data-contribute]");
    if (!form || !window.crypto) return;
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    form.elements.random.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    delete form.dataset.contribute;
    form.requestSubmit();
  }

  function prepare(root) {
    offerCopy(root);
    contribute(root);
  }
  prepare(document);
  document.addEventListener("htmx:load", (event) => prepare(event.target));
})();
