"""`newsclean serve`: browse sites, correct pages with clicks and search articles in the browser.

Needs Starlette and uvicorn (extra `serve`). The pages load nothing from other hosts.
"""
