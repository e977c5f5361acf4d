"""What a request carries while it is downloaded, and what is left of it afterwards."""

from scrapy import Request
from scrapy.http import Response

from newsclean.discovery.site_settings import SettingsOfSites, SiteSettings
from newsclean.middlewares.site_requests import SiteSecretsMiddleware

URL = "https://example.org/news"


def middleware(settings: SiteSettings) -> SiteSecretsMiddleware:
    sites = SettingsOfSites()
    sites.add([URL], settings)
    return SiteSecretsMiddleware(sites)


def test_the_login_of_another_proxy_is_not_sent_to_the_proxy_of_the_site() -> None:
    request = Request(URL, headers={"Proxy-Authorization": "Basic b3RoZXI="})
    request.meta["proxy"] = "http://other.example:3128"
    secrets = middleware(SiteSettings(proxy="http://own.example:3128"))
    secrets.process_request(request)
    assert request.meta["proxy"] == "http://own.example:3128"
    assert "Proxy-Authorization" not in request.headers
    secrets.process_response(request, Response(URL))
    assert request.meta["proxy"] == "http://other.example:3128"
    assert request.headers["Proxy-Authorization"] == b"Basic b3RoZXI="


def test_headers_and_cookies_are_gone_when_the_answer_is_there() -> None:
    request = Request(URL, headers={"Cookie": "a=1"})
    secrets = middleware(SiteSettings(headers={"X-Key": "k"}, cookies={"b": "2"}))
    secrets.process_request(request)
    assert (request.headers["X-Key"], request.headers["Cookie"]) == (b"k", b"a=1; b=2")
    secrets.process_exception(request, OSError())
    assert request.headers.to_unicode_dict() == {"Cookie": "a=1"}
