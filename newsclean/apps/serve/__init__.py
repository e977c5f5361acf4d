"""`newsclean serve`: the sites of a memory in the browser, page by page, and teaching by clicks.

Starlette and uvicorn answer (extra `serve`); Jinja writes the pages; nothing comes from outside.
"""
