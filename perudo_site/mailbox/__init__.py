"""The mailbox of a development machine: every mail the site sends, to be read on a page.

Never in production: see the system check ``perudo_site.E001``.
"""
