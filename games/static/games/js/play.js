/* The game's page keeps itself up to date and takes keys. Without this, reloading and the mouse do the same. */
"use strict";
(() => {
  const SOON = 5000;
  const LATER = 15000;
  const HIDDEN = 60000;
  const CALM = 24; // so many answers that brought nothing, and it asks less often
  let quiet = 0;
  let asked = Date.now();

  const table = () => document.querySelector("#game[hx-get]");
  const isSent = () => document.querySelector("form.is-sent") !== null;
  const chosen = (game) => {
    const ticked = game.querySelector("input[name=bid]:checked");
    return ticked ? ticked.value : "";
  };

  /* --- news ------------------------------------------------------------------------------- */

  const ask = () => {
    const game = table();
    if (!game || document.hidden || isSent()) return;
    asked = Date.now();
    game.dataset.chosen = chosen(game);
    htmx.trigger(game, "poll");
  };
  /* A page that nobody sees asks whose turn it is, by HEAD: that counts as no look at it. */
  const peek = async () => {
    const game = table();
    asked = Date.now();
    try {
      const answer = await fetch(game.getAttribute("hx-get"), { method: "HEAD", headers: { "HX-Request": "true" } });
      if (answer.status === 200 && answer.headers.get("X-My-Turn")) show(true);
    } catch {
      // The next one may get through.
    }
  };
  const wait = () => (document.hidden ? HIDDEN : quiet < CALM ? SOON : LATER);
  setInterval(() => {
    if (!table() || Date.now() - asked < wait()) return;
    if (document.hidden) peek();
    else ask();
  }, 1000);
  document.addEventListener("visibilitychange", ask);

  /* Whose turn it is stands in the title, which comes with the page, and on the tab's icon. */
  const icon = document.getElementById("turn-icon");
  function show(isMine) {
    const href = isMine ? icon.dataset.mine : icon.dataset.theirs;
    if (icon.getAttribute("href") !== href) icon.setAttribute("href", href);
    if (isMine && !document.title.startsWith("● ")) document.title = `● ${document.title}`;
  }

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
    if (isSent() || chosen(game) !== game.dataset.chosen) event.detail.shouldSwap = false;
    quiet = event.detail.xhr.status === 204 ? quiet + 1 : 0;
    if (event.detail.shouldSwap) keep(game);
  });

  /* --- what its reader was about to do ------------------------------------------------------ */

  const FIELDS = "input:not([type=hidden], [name=bid]), textarea, select";
  const key = (element) => {
    if (element.id) return `#${CSS.escape(element.id)}`;
    const form = element.closest("form");
    const parts = [form ? `form[action="${form.getAttribute("action")}"]` : "", element.tagName.toLowerCase()];
    if (element.name) parts.push(`[name="${element.name}"]`);
    if (element.matches("[type=radio], [type=checkbox], button")) parts.push(`[value="${element.value}"]`);
    if (element.tagName === "A") parts.push(`[href="${element.getAttribute("href")}"]`);
    return `${parts[0]} ${parts.slice(1).join("")}`;
  };
  let kept = null;
  function keep(game) {
    const fields = [...game.querySelectorAll(FIELDS)].filter((field) =>
      field.matches("[type=radio], [type=checkbox]")
        ? field.checked !== field.defaultChecked
        : field.tagName === "SELECT" || field.value !== field.defaultValue,
    );
    const active = game.contains(document.activeElement) ? document.activeElement : null;
    kept = {
      fields: fields.map((field) => [key(field), field.value, field.checked]),
      open: [...game.querySelectorAll("details")].map((part) => part.open),
      asks: [...game.querySelectorAll(":popover-open")].map((part) => [part.id, part.textContent]),
      ladder: game.querySelector(".ladder-all")?.scrollTop,
      focus: active && key(active),
      range: active && "selectionStart" in active ? [active.selectionStart, active.selectionEnd] : null,
    };
  }
  function restore(game) {
    const had = kept;
    kept = null;
    if (!had) return;
    for (const [path, value, checked] of had.fields) {
      const field = game.querySelector(path);
      if (!field) continue;
      if (field.matches("[type=radio], [type=checkbox]")) field.checked = checked;
      else field.value = value;
    }
    const parts = game.querySelectorAll("details");
    if (parts.length === had.open.length) parts.forEach((part, place) => (part.open = had.open[place]));
    for (const [id, text] of had.asks) {
      const part = document.getElementById(id);
      // A call on another bid is another question.
      if (part && part.textContent === text) part.showPopover();
    }
    const ladder = game.querySelector(".ladder-all");
    if (ladder && had.ladder) ladder.scrollTop = had.ladder;
    const field = had.focus && game.querySelector(had.focus);
    if (field && document.activeElement !== field) field.focus({ preventScroll: true });
    if (field && had.range && had.range[0] !== null) field.setSelectionRange(...had.range);
  }
  document.addEventListener("htmx:load", (event) => {
    const game = event.detail.elt;
    if (game.id !== "game") return;
    restore(game);
    document.getElementById("news").textContent = game.dataset.news || "";
    show("myTurn" in game.dataset);
    reveal(game);
  });

  /* --- the move ----------------------------------------------------------------------------- */

  /* What is chosen is said with the words that everybody will read. */
  function say(input) {
    const line = document.getElementById("says-bid");
    if (!line) return;
    const words = line.dataset.says;
    const at = words.lastIndexOf("%s");
    const bid = input.dataset.words || input.getAttribute("aria-label");
    const button = input.form.querySelector("[data-bid-button]");
    button.textContent = button.dataset.bidButton.replace("%s", bid);
    line.textContent = `${line.dataset.lead} ${words.slice(0, at)}${bid}${words.slice(at + 2)}`;
    line.classList.add("is-said");
  }
  function reveal(root) {
    const ticked = root.querySelector("input[name=bid]:checked");
    if (!ticked) return;
    say(ticked);
    ticked.closest(".rung").scrollIntoView({ block: "nearest" });
  }
  document.addEventListener("change", (event) => {
    if (event.target.matches("#move input[name=bid]")) say(event.target);
  });
  /* Without the confirm step a tap plays; arrow keys, which make clicks too, only choose. */
  document.addEventListener("click", (event) => {
    const { target, detail } = event;
    if (detail && target.matches("#move[data-at-once] input[name=bid]")) {
      target.form.querySelector("button[value=bid]").click();
    }
  });

  /* --- keys --------------------------------------------------------------------------------- */

  let digits = "";
  function choose(input) {
    input.checked = true;
    input.focus();
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }
  /* The longest end of what was typed that is a bid, or may become one; no clock is running. */
  function type(digit) {
    digits += digit;
    for (let from = Math.max(0, digits.length - 4); from < digits.length; from++) {
      const end = digits.slice(from);
      const bid = end.length > 1 && rung(`${Number(end.slice(0, -1))}x${end.slice(-1)}`);
      if (bid) return choose(bid);
    }
  }
  const rung = (bid) => document.querySelector(`#move input[name=bid][value="${bid}"]`);
  function step(name) {
    const all = [...document.querySelectorAll("#move input[name=bid]")];
    if (!all.length) return false;
    const now = document.querySelector("#move input[name=bid]:checked");
    if (!now) choose(all[0]);
    else if (name === "ArrowLeft" || name === "ArrowRight") {
      choose(all[(all.indexOf(now) + (name === "ArrowRight" ? 1 : all.length - 1)) % all.length]);
    } else {
      const [quantity, face] = now.value.split("x").map(Number);
      const next = rung(`${quantity + (name === "ArrowDown" ? 1 : -1)}x${face}`);
      if (next) choose(next);
    }
    return true;
  }
  const TYPED = "input:not([type=radio], [type=checkbox], [type=hidden]), textarea, select, [contenteditable]";
  document.addEventListener("keydown", (event) => {
    const name = event.key;
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.defaultPrevented) return;
    if (!document.querySelector("#game[data-keys]") || event.target.closest(TYPED)) return;
    const isAsked = document.querySelector(":popover-open") !== null;
    if (/^[0-9]$/.test(name)) {
      if (!isAsked) type(name);
      return;
    }
    digits = "";
    if (name.startsWith("Arrow")) {
      // Elsewhere arrows scroll the page.
      const isHere = event.target === document.body || event.target.matches("input[name=bid], #main");
      if (!isAsked && isHere && step(name)) event.preventDefault();
      return;
    }
    const button = name.length === 1 && document.querySelector(`[data-key="${CSS.escape(name.toLowerCase())}"]`);
    if (!button || (isAsked && name !== "?")) return;
    event.preventDefault();
    button.click();
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target.id === "manner") event.detail.target.showPopover();
  });

  reveal(document);
})();
