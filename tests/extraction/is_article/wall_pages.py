"""Walls as public documentation describes them, each as small as it can be."""

from collections.abc import Mapping
from dataclasses import dataclass, field

URL = "https://example.org/news/1001-the-fair"


@dataclass(frozen=True)
class WallPage:
    kind: str
    html: str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    #: where the redirect has led, if there was one
    url: str = URL


def _page(body: str, head: str = "<title>example.org</title>") -> str:
    return f"<!DOCTYPE html><html><head>{head}</head><body>{body}</body></html>"


_CHOICE = (
    "We and our partners store cookies on your device to show you advertising. "
    "You can withdraw your consent to these cookies at any time in your privacy settings."
)
_EINWILLIGUNG = (
    "Mit Ihrer Zustimmung verwenden wir und unsere Partner Cookies für personalisierte Werbung. "
    "Ihre Einwilligung können Sie jederzeit in den Datenschutz-Einstellungen widerrufen."
)

WALLS = {
    "Cloudflare, by its header": WallPage(
        "challenge", _page("<p>One moment."), 403, {"cf-mitigated": "challenge"}
    ),
    "Cloudflare, by its page": WallPage(
        "challenge", _page("<script>window._cf_chl_opt = {};</script><p>One moment."), 503
    ),
    "Cloudflare, refused": WallPage(
        "denied",
        _page("<h1>Sorry, you are blocked", "<title>Attention Required! | Cloudflare</title>"),
        403,
    ),
    "Cloudflare, pay per crawl": WallPage("payment", "", 402, {"crawler-price": "USD 0.01"}),
    "AWS WAF, challenge": WallPage("challenge", "", 202, {"x-amzn-waf-action": "challenge"}),
    "AWS WAF, captcha": WallPage("challenge", "", 405, {"x-amzn-waf-action": "captcha"}),
    "AWS WAF, by its page": WallPage(
        "challenge", _page("<script>AwsWafIntegration.getToken();</script>"), 202
    ),
    "DataDome, by its header": WallPage("challenge", "", 403, {"x-datadome": "protected"}),
    "DataDome, by its page": WallPage(
        "challenge", _page('<script src="https://ct.captcha-delivery.com/c.js"></script>'), 403
    ),
    "Akamai, refused": WallPage(
        "denied", _page("<h1>Access Denied</h1><p>https://errors.edgesuite.net/18.1"), 403
    ),
    "Akamai, challenge": WallPage(
        "challenge",
        _page('<script src="/_sec/cp_challenge/verify.js"></script><p>Please wait.'),
        429,
    ),
    "Akamai, meta refresh": WallPage(
        "challenge", _page("", "<meta http-equiv=refresh content=\"5; URL='/a?bm-verify=1'\">")
    ),
    "Imperva": WallPage(
        "challenge",
        _page("<iframe src=/_Incapsula_Resource>Request failed. Incapsula incident ID: 1</iframe>"),
    ),
    "HUMAN": WallPage("challenge", _page('<p>Press and hold</p><div id="px-captcha"></div>'), 403),
    "Kasada": WallPage("challenge", _page("<script>window.KPSDK = {};</script>"), 429),
    "Sucuri": WallPage("denied", _page("<h1>Sucuri WebSite Firewall</h1><p>Access denied"), 403),
    "F5": WallPage(
        "denied",
        _page(
            "The requested URL was rejected. Please consult with your administrator. "
            "Your support ID is: 1"
        ),
    ),
    "Vercel": WallPage("challenge", "", 429, {"x-vercel-mitigated": "challenge"}),
    "Anubis": WallPage(
        "challenge",
        _page('<script src="/.within.website/x/cmd/anubis/static/js/main.mjs"></script>'),
    ),
    "DDoS-Guard": WallPage("challenge", "", 403, {"server": "ddos-guard"}),
    "a captcha and nothing else": WallPage(
        "challenge",
        _page('<h1>Are you human?</h1><form><div class="g-recaptcha" data-sitekey=1></div></form>'),
    ),
    "a region that is not served": WallPage("denied", "", 451),
    "a refusal without a reason": WallPage("denied", _page("<h1>Forbidden"), 403),
    "HTTP authentication": WallPage("login", "", 401, {"www-authenticate": "Basic"}),
    "a redirect to a log-in page": WallPage(
        "login",
        _page("<p>Read on with your account.</p><form><input name=mail></form>"),
        url="https://example.org/account/login?return=/news/1001-the-fair",
    ),
    "a log-in form in place of the page": WallPage(
        "login",
        _page("<h1>Members</h1><form><input name=user><input type=password name=pass></form>"),
    ),
    "a redirect to a consent manager": WallPage(
        "consent",
        _page(f"<p>{_CHOICE}</p><form><button>Accept all</button></form>"),
        url="https://consent.example.org/collect?back=/news/1001-the-fair",
    ),
    "a consent page of the site's own": WallPage(
        "consent",
        _page(f"<h1>Ihre Wahl</h1><p>{_EINWILLIGUNG}</p><button>Akzeptieren und weiter</button>"),
        url="https://example.org/zustimmung?url=%2Fnews%2F1001-the-fair",
    ),
    "a consent page in place of the page": WallPage(
        "consent",
        _page(f"<p>{_CHOICE} {_CHOICE}</p><button>I agree</button><a href=/pur>Subscribe</a>"),
    ),
}
