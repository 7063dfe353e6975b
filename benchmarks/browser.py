"""``python -m benchmarks.browser``: what a first visit to the main pages costs in a real browser.

Starts a site of its own on a folder of its own, fills it with the demo, and opens each page in a
browser that has kept nothing, as often as ``--times`` says. Ends with status 1 when a page weighs
more than it may, or anything on it moves.
"""

import argparse
import contextlib
import gzip
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Response, sync_playwright

ROOT = Path(__file__).parents[1]
WIDTHS = {390: 844, 1280: 900}
MOST_BYTES = 100_000
"""Of a first visit, fonts and scripts with it, packed as production sends them."""

PAINTED = """() => new Promise((done) => {
  const seen = { paint: 0, shift: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.paint = entry.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  document.fonts.ready.then(() => setTimeout(() => done(seen), 500));
})"""
ANSWERED = """() => new Promise((done) => {
  let longest = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) longest = Math.max(longest, entry.duration);
  }).observe({ type: "event", buffered: true, durationThreshold: 16 });
  setTimeout(() => done(longest), 500);
})"""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one visit cost: times in milliseconds, bytes packed, ``shift`` without a unit."""

    paint: float
    html: int
    total: int
    requests: int
    shift: float


def main(arguments: list[str]) -> int:
    """Measure the pages and print them as a table; return the exit status."""
    options = _options(arguments)
    faults: list[str] = []
    with _site() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=options.browser, args=["--no-sandbox", "--disable-gpu"]
        )
        state, pages = _demo(browser, site)
        print("| page | width | LCP, ms | HTML, bytes | all, bytes | requests | layout shift |")
        print("|---|---|---|---|---|---|---|")
        for name, (path, signed_in) in pages.items():
            for width, height in WIDTHS.items():
                kept = state if signed_in else None
                size = {"width": width, "height": height}
                costs = [_visit(browser, site + path, kept, size) for _ in range(options.times)]
                cost = costs[-1]
                paint = statistics.median(each.paint for each in costs)
                shift = round(max(each.shift for each in costs), 3)
                print(
                    f"| {name} | {width} | {paint:.0f} | {cost.html:,} | {cost.total:,}"
                    f" | {cost.requests} | {shift:.3f} |",
                    flush=True,
                )
                if cost.total > MOST_BYTES or shift:
                    faults.append(f"{name} at {width}")
        path, _ = pages["table, my turn"]
        print(f"\nA bid chosen by keys, to the next paint: {_choose(browser, site + path, state)}.")
    print(f"Too heavy, or not still: {', '.join(faults)}." if faults else "Every page is within.")
    return 1 if faults else 0


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.browser", description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="visits to each page")
    parser.add_argument("--browser", default=shutil.which("chromium"), help="path of a Chromium")
    return parser.parse_args(arguments)


@contextlib.contextmanager
def _site() -> Iterator[str]:
    """Run a site with the demo in it, and yield its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as var:
        environment = {
            **os.environ,
            "PERUDO_DEVELOPMENT": "1",
            "PERUDO_VAR": var,
            "PORT": str(port),
            "MAIL_PORT": "0",
        }
        manage = [sys.executable, str(ROOT / "manage.py")]
        with (Path(var) / "up.log").open("wb") as log:
            up = subprocess.Popen(
                [*manage, "up"], env=environment, stdout=log, stderr=log, start_new_session=True
            )
            try:
                _wait_for(port, up)
                subprocess.run([*manage, "seed_demo"], env=environment, check=True, stdout=log)
                yield f"http://127.0.0.1:{port}"
            finally:
                up.send_signal(signal.SIGINT)
                up.wait(timeout=60)


def _wait_for(port: int, up: "subprocess.Popen[bytes]") -> None:
    for _ in range(240):
        if up.poll() is not None:
            raise RuntimeError(f"the site ended with status {up.returncode}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.5)
    raise TimeoutError("the site does not answer")


def _demo(browser: Browser, site: str) -> tuple[Any, dict[str, tuple[str, bool]]]:
    """Sign in as a player of the demo; return the browser's state, and the pages to visit."""
    context = browser.new_context(base_url=site)
    page = context.new_page()
    page.goto("/accounts/login/")
    page.fill("input[name=login]", "alice@example.org")
    page.fill("input[name=password]", "perudo-demo")
    page.locator("main form button[type=submit]").first.click()
    page.wait_for_url(f"{site}/")
    mine, theirs, over = (_first(page, group) for group in ("waiting", "running", "ended"))
    state = context.storage_state()
    context.close()
    return state, {
        "landing": ("/", False),
        "rules": ("/rules/", False),
        "log in": ("/accounts/login/", False),
        "my games": ("/", True),
        "lobby": ("/lobby/", True),
        "new game": ("/games/new/", True),
        "table, my turn": (mine, True),
        "table, another's turn": (theirs, True),
        "standing order": (f"{mine}order/", True),
        "all rounds": (f"{over}rounds/", True),
        "finished game": (over, True),
    }


def _first(page: Page, group: str) -> str:
    link = page.locator(f"section[aria-labelledby='{group}'] a.card-link")
    return str(link.first.get_attribute("href"))


def _visit(browser: Browser, url: str, state: Any, size: Any) -> Cost:
    sizes: dict[str, int] = {}
    context = browser.new_context(storage_state=state, viewport=size)
    page = context.new_page()

    def weigh(answer: Response) -> None:
        sizes.setdefault(answer.url, _packed(answer))

    page.on("response", weigh)
    page.goto(url, wait_until="networkidle")
    seen = page.evaluate(PAINTED)
    context.close()
    return Cost(seen["paint"], sizes[url], sum(sizes.values()), len(sizes), seen["shift"])


def _packed(answer: Response) -> int:
    if re.search(r"\.(?:woff2|png)$", answer.url):
        return len(answer.body())
    return len(gzip.compress(answer.body()))


def _choose(browser: Browser, url: str, state: Any) -> str:
    context = browser.new_context(storage_state=state, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(url, wait_until="networkidle")
    for key in ("ArrowDown", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    longest = page.evaluate(ANSWERED)
    context.close()
    return f"{longest:.0f} ms at most" if longest else "less than 16 ms"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
