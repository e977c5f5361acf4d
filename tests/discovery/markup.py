"""Links of a section page, as the tests write them."""

SECTION = "https://www.example.org/sport/"
HEADLINE = "Who won on Sunday, and why"


def a(href: str, text: str = HEADLINE, **attributes: str) -> str:
    more = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f'<a href="{href}"{more}>{text}</a>'
