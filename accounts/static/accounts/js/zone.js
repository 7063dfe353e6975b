// The time zone this browser reports: chosen at sign-up, offered on the settings page.
(() => {
  "use strict";
  const guess = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!guess) return;

  const choose = (select) => {
    if (![...select.options].some((option) => option.value === guess)) {
      // An alias that the list leaves out; the server knows it.
      select.add(new Option(guess.replaceAll("_", " "), guess));
    }
    select.value = guess;
  };

  const offer = (select) => {
    if (select.value === guess) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "link-button";
    button.textContent = select.dataset.zoneOffer.replace("ZONE", guess.replaceAll("_", " "));
    button.addEventListener("click", () => {
      choose(select);
      select.focus();
      button.remove();
    });
    select.after(button);
  };

  for (const select of document.querySelectorAll("select[data-zone-offer]")) {
    if ("zoneFill" in select.dataset) choose(select);
    else offer(select);
  }
})();
