"""The pictures of docs/look.md, teach.md and search.md: the demo's site is shown, taught, searched.

python docs/serve_pictures.py docs/pictures
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright

from newsclean.browser.chromium import chromium_arguments, find_chromium
from newsclean.demo import DemoServer

COMMAND = [sys.executable, "-m", "newsclean"]
HURRY = ("-sAUTOTHROTTLE_ENABLED=0", "-sDOWNLOAD_DELAY=0", "-sHTTPCACHE_ENABLED=0")
SIZES = ((1280, 900, "light"), (390, 844, "dark"))
#: What is looked for.
QUERY = "mayor votes"
#: A box that came through.
PROMO = "#page-frame >> internal:control=enter-frame >> .insert p"


def main(folder: Path) -> None:
    with TemporaryDirectory() as work, DemoServer(ports=(8101, 8102), promos=True) as demo:
        urls = demo.publishers[0].section_urls
        subprocess.run([*COMMAND, "crawl", *urls, *HURRY], cwd=work, check=True)
        subprocess.run([*COMMAND, "index", "articles.jsonl"], cwd=work, check=True)
        serve = subprocess.Popen(
            [*COMMAND, "serve", "--port", "0"], cwd=work, stdout=subprocess.PIPE, text=True
        )
        assert serve.stdout is not None
        link = serve.stdout.readline().split()[1]
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=find_chromium(None), args=chromium_arguments()
                )
                for width, height, scheme in SIZES:
                    take(browser, link, folder, width, height, scheme)
                    take_search(browser, link, folder, width, height, scheme)
        finally:
            serve.terminate()
            serve.wait()


def take(browser: Browser, link: str, folder: Path, width: int, height: int, scheme: str) -> None:
    """All steps in one size; at its end everything is as before."""
    page = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    name = f"{width}{'-dark' if scheme == 'dark' else ''}.png"

    def picture(step: str) -> None:
        page.wait_for_timeout(200)
        page.screenshot(path=folder / f"{step}-{name}")

    page.goto(link)
    page.wait_for_selector(".cards")
    picture("serve-sites")
    page.click(".cards h2 a")
    page.wait_for_selector(".entries")
    picture("serve-site")
    page.click(".entries h3 a")
    ready(page)
    picture("look")
    page.click(PROMO)
    picture("teach-why")
    page.get_by_role("button", name="This does not belong to the article").click()
    page.wait_for_selector("#accept")
    picture("teach-change")
    page.click("#accept")
    page.wait_for_selector(".banner")
    ready(page)
    page.locator(PROMO).scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, 0)")
    picture("teach-accepted")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url(lambda url: "accepted" not in url)
    page.close()


def take_search(
    browser: Browser, link: str, folder: Path, width: int, height: int, scheme: str
) -> None:
    """Results, and the article of the first one."""
    page = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    name = f"{width}{'-dark' if scheme == 'dark' else ''}.png"
    page.goto(link)
    page.get_by_role("link", name="Search", exact=True).click()
    page.get_by_label("Words to look for").fill(QUERY)
    page.get_by_role("button", name="Search").click()
    page.wait_for_selector(".results")
    page.wait_for_load_state("load")
    page.screenshot(path=folder / f"search-{name}")
    page.click(".results h3 a")
    page.wait_for_selector(".reading")
    page.wait_for_load_state("load")
    page.screenshot(path=folder / f"search-article-{name}")
    page.close()


def ready(page: Page) -> None:
    page.wait_for_selector("html[data-map-ready]")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
