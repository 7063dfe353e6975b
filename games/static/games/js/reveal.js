/* The end of a round, cup by cup; and the arrow keys of a replay. The pages tell all of it without. */
"use strict";
(() => {
  const SLOWEST = 900, QUICKEST = 450, IN_ALL = 3200; // milliseconds a cup, and for a whole reveal
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  /* Lifts the cups of one reveal: they lie in the page, and are only covered for a while. */
  function stage(root) {
    const part = (name) => root.querySelector(`[data-reveal-${name}]`);
    const cups = [...root.querySelectorAll("[data-reveal-cup]")];
    const again = part("again"), next = part("next"), all = part("all"), live = part("live");
    const pace = Math.max(QUICKEST, Math.min(SLOWEST, IN_ALL / (cups.length + 1)));
    let lifted = cups.length;
    let timer = 0;

    function show(playing) {
      const focused = root.contains(document.activeElement) && document.activeElement.matches("button");
      root.classList.toggle("is-playing", playing);
      again.hidden = playing;
      next.hidden = all.hidden = !playing;
      if (focused) (playing ? next : again).focus();
    }
    function finish() {
      clearInterval(timer);
      cups.forEach((cup) => cup.classList.remove("is-lifted"));
      lifted = cups.length;
      show(false);
      live.textContent = part("verdict").textContent;
    }
    function lift() {
      if (lifted >= cups.length) {
        finish();
        return;
      }
      const cup = cups[lifted++];
      cup.classList.add("is-lifted");
      live.textContent = cup.dataset.revealCup;
    }
    function begin() {
      clearInterval(timer);
      lifted = 0;
      cups.forEach((cup) => cup.classList.remove("is-lifted"));
      show(true);
      live.textContent = live.dataset.start;
      if (!still.matches) timer = setInterval(lift, pace);
    }

    again.addEventListener("click", begin);
    all.addEventListener("click", finish);
    next.addEventListener("click", () => {
      clearInterval(timer); // whoever lifts by hand sets the pace
      lift();
    });
    part("controls").hidden = false;
    return begin;
  }

  /* A round that has just ended plays by itself when it comes into sight, once in this browser. */
  function isNew(key) {
    const [game, round] = key.split("/");
    try {
      if (Number(localStorage.getItem(`reveal:${game}`)) >= Number(round)) return false;
      localStorage.setItem(`reveal:${game}`, round);
    } catch {
      return false; // nothing may be kept here: it would play each time
    }
    return true;
  }
  function playOnce(reveal, begin) {
    const key = reveal.closest("[data-reveal-key]")?.dataset.revealKey;
    if (!key || still.matches) return;
    new IntersectionObserver((entries, watch) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      if (isNew(key)) begin();
    }, { threshold: 0.2 }).observe(reveal);
  }

  function prepare(root) {
    for (const reveal of root.querySelectorAll("[data-reveal]")) {
      if (reveal.dataset.reveal) continue;
      reveal.dataset.reveal = "ready";
      playOnce(reveal, stage(reveal));
    }
  }
  prepare(document);
  document.addEventListener("htmx:load", (event) => prepare(event.target));

  const KEYS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    const name = KEYS[event.key];
    if (!name || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, textarea, select")) return;
    const link = document.querySelector(`[data-replay] a[data-go=${name}]`);
    if (!link) return;
    event.preventDefault();
    link.click();
  });
})();
