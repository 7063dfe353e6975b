/* The game's page keeps itself up to date. Without this, reloading does the same. */
"use strict";
(() => {
  const EVERY = 15000;
  const chosen = (game) => {
    const ticked = game.querySelector("input[name=bid]:checked");
    return ticked ? ticked.value : "";
  };
  const ask = () => {
    const game = document.querySelector("#game[hx-get]");
    if (!game || document.hidden || document.querySelector("form.is-sent")) return;
    game.dataset.chosen = chosen(game);
    htmx.trigger(game, "poll");
  };
  setInterval(ask, EVERY);
  document.addEventListener("visibilitychange", ask);

  /* What is ticked is told, so that the answer comes with it ticked. */
  document.addEventListener("htmx:configRequest", (event) => {
    const { elt, parameters } = event.detail;
    if (elt.id === "game" && elt.dataset.chosen) parameters.bid = elt.dataset.chosen;
  });

  /* An answer that comes while its reader ticks something else would undo that, and one that comes
     while a move is on its way would hide what becomes of the move: let them go by. */
  document.addEventListener("htmx:beforeSwap", (event) => {
    const game = event.detail.elt;
    if (event.detail.requestConfig.verb !== "get" || game.id !== "game") return;
    const isSent = document.querySelector("form.is-sent") !== null;
    if (isSent || chosen(game) !== game.dataset.chosen) event.detail.shouldSwap = false;
  });
})();
