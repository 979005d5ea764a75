"""Video in, Request out: template files, rendered to chat messages, and re-asks with feedback."""

from tenk.prompting.compare import Cell, Rejected, Row, compare_rows, new_words, total_cost
from tenk.prompting.folder import find_folder, init, load_template, load_templates
from tenk.prompting.render import reask, render
from tenk.prompting.template import Output, Template, folded

__all__ = [
    "Cell",
    "Output",
    "Rejected",
    "Row",
    "Template",
    "compare_rows",
    "find_folder",
    "folded",
    "init",
    "load_template",
    "load_templates",
    "new_words",
    "reask",
    "render",
    "total_cost",
]
