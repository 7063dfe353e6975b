/* The page without a line: what this device has seen of its tables, and when. */
"use strict";
(() => {
  const language = document.documentElement.lang;
  const units = [["day", 86400], ["hour", 3600], ["minute", 60]];
  const ago = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const moment = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

  function told(at) {
    const seconds = Math.max(0, (Date.now() - at) / 1000);
    const [unit, length] = units.find(([, each]) => seconds >= each) || units[units.length - 1];
    return `${moment.format(at)} (${ago.format(-Math.floor(seconds / length), unit)})`;
  }

  function show() {
    const { tables = {} } = JSON.parse(localStorage.getItem("perudo-seen")) || {};
    const section = document.querySelector("[data-tables]");
    const row = section.querySelector("template");
    const newest = Object.entries(tables).sort(([, one], [, other]) => other.at - one.at);
    for (const [url, { name, turn, at }] of newest) {
      const line = row.content.cloneNode(true);
      const link = line.querySelector("[data-name]");
      link.textContent = name;
      link.href = url;
      line.querySelector("[data-turn]").textContent = turn;
      const time = line.querySelector("[data-seen-at]");
      time.dateTime = new Date(at).toISOString();
      time.textContent = told(at);
      row.before(line);
    }
    section.hidden = newest.length === 0;
  }

  try {
    show();
  } catch {
    // Nothing is kept here, or nothing that can be read.
  }
  addEventListener("online", () => location.reload());
})();
