/* For who is signed in: the worker, what was seen of the tables, and a word when the line is gone. */
"use strict";
(() => {
  const KEY = "perudo-seen";
  const MOST = 20;
  const LONGEST = 30 * 86400000;
  const { reader } = document.documentElement.dataset;

  /* Names of tables and whose turn it was, as the lists and the tables say it. Never a die. */
  function remember() {
    const kept = JSON.parse(localStorage.getItem(KEY));
    const tables = kept && kept.reader === reader ? kept.tables : {};
    const at = Date.now();
    if (document.querySelector("[data-seen-all]")) for (const url of Object.keys(tables)) delete tables[url];
    for (const element of document.querySelectorAll("[data-seen]")) {
      const { seen, seenName } = element.dataset;
      tables[seen] = { name: seenName, turn: element.textContent.trim(), at };
    }
    const newest = Object.entries(tables).filter(([, table]) => at - table.at < LONGEST);
    newest.sort(([, one], [, other]) => other.at - one.at);
    localStorage.setItem(KEY, JSON.stringify({ reader, tables: Object.fromEntries(newest.slice(0, MOST)) }));
  }
  try {
    remember();
  } catch {
    // Kept out of storage: then nothing is remembered.
  }
  document.addEventListener("submit", (event) => {
    if (event.target.matches("[data-logout]")) localStorage.removeItem(KEY);
  });

  const note = document.querySelector("[data-offline]");
  const tell = () => { note.hidden = navigator.onLine; };
  addEventListener("online", tell);
  addEventListener("offline", tell);
  tell();

  if ("serviceWorker" in navigator) {
    addEventListener("load", () => navigator.serviceWorker.register("/worker.js").catch(() => {}));
  }
})();
