"""Shows HTML to a real browser, headless and without a network, and asks what was executed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
MAX_SECONDS = 150
#: How many pieces of HTML one start of the browser shows.
MAX_PIECES = 500

#: Each piece is shown in three ways: as a document of its own, as the content of an element, and
#: as what a second and a third parse make of that. Then everything in it is touched.
HARNESS = """<!DOCTYPE html><meta charset=utf-8><title>attack</title><body><pre id=result></pre>
<script type=application/json id=pieces>PIECES</script>
<script>
const hits = new Set(), seen = [];
window.hit = (number) => { hits.add(number); };
window.alert = window.confirm = window.prompt = window.open = () => {};
window.onerror = () => true;
const EVENTS = ['click', 'mouseover', 'mouseenter', 'mousedown', 'pointerover', 'focus', 'blur',
  'keydown', 'copy', 'cut', 'paste', 'drag', 'drop', 'wheel', 'touchstart', 'auxclick',
  'contextmenu', 'animationstart', 'transitionend', 'toggle', 'beforetoggle', 'load', 'error'];
function touch(root) {
  for (const element of root.querySelectorAll('*')) {
    if (element.tagName === 'SCRIPT' && element.ownerDocument === document) continue;
    const link = element.closest('a, area');
    const address = String(link && (link.href.baseVal ?? link.href) || '');
    for (const name of EVENTS) {
      const event = new Event(name, {bubbles: false, cancelable: true});
      if (name === 'click' && !/^(javascript|vbscript):/i.test(address)) {
        element.addEventListener('click', (e) => e.preventDefault(), {once: true});
      }
      try { element.dispatchEvent(event); } catch (e) {}
    }
    if (/^(javascript|vbscript):/i.test(address)) {
      const found = address.match(/top\\.hit\\((\\d+)\\)/);
      hits.add(found ? Number(found[1]) : 0);
    }
  }
}
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
async function show(piece) {
  const frame = document.createElement('iframe');
  const loaded = new Promise((done) => { frame.onload = done; });
  frame.srcdoc = piece;
  document.body.append(frame);
  await Promise.race([loaded, pause(400)]);
  try { touch(frame.contentDocument); } catch (e) {}
  seen.push([frame]);
  if (seen.length > 30) seen.shift().forEach((old) => old.remove());
  if (!IN_PAGE) { await pause(5); return; }
  const element = document.createElement('div');
  document.body.append(element);
  element.innerHTML = piece;
  const again = document.createElement('div');
  document.body.append(again);
  again.innerHTML = element.innerHTML;
  again.innerHTML = again.innerHTML;
  touch(element);
  touch(again);
  await pause(5);
  seen.push([element, again]);
}
(async () => {
  let count = 0;
  for (const piece of JSON.parse(document.getElementById('pieces').textContent)) {
    await show(piece);
    count += 1;
  }
  await pause(300);
  document.getElementById('result').textContent =
    'RESULT ' + JSON.stringify({count, hits: [...hits]}) + ' END';
})();
</script>"""


class BrowserError(RuntimeError):
    """The browser did not come to its end: nothing is known of what it would have executed."""


def find_browser() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


def executed(pieces: list[str], *, in_page: bool = True) -> list[int]:
    """The numbers with which `top.hit` was called by any of these pieces of HTML.

    Without `in_page`, they are shown as documents alone: what is not cleaned could leave the page.
    """
    hits: set[int] = set()
    for first in range(0, len(pieces), MAX_PIECES):
        hits.update(_show(pieces[first : first + MAX_PIECES], in_page))
    return sorted(hits)


def _show(pieces: list[str], in_page: bool) -> list[int]:
    browser = find_browser()
    assert browser is not None
    # Neither the end of a script nor a comment may end the data early.
    data = json.dumps(pieces).replace("<", "\\u003c")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page = Path(folder, "page.html")
        page.write_text(
            HARNESS.replace("IN_PAGE", str(in_page).lower()).replace("PIECES", data), "utf-8"
        )
        shown = subprocess.run(
            [
                browser,
                "--headless",
                *(["--no-sandbox"] if os.geteuid() == 0 else []),
                f"--user-data-dir={folder}/profile",
                "--host-resolver-rules=MAP * ~NOTFOUND",
                "--proxy-server=127.0.0.1:9",  # where nothing listens
                "--proxy-bypass-list=<-loopback>",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run",
                f"--virtual-time-budget={len(pieces) * 500 + 5000}",
                "--dump-dom",
                page.as_uri(),
            ],
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=MAX_SECONDS,
            check=False,
        )
    found = re.search(r"RESULT (\{.*?\}) END", shown.stdout)
    result: dict[str, Any] = json.loads(found[1]) if found else {"count": 0, "hits": []}
    if result["count"] != len(pieces):
        raise BrowserError(f"{result['count']} of {len(pieces)} shown: {shown.stderr[-800:]}")
    return [int(number) for number in result["hits"]]
