"""Settings of Sphinx. docs/site_build.py copies this file beside the prepared pages and runs Sphinx there."""

import rankmetrics_nb

project = "rankmetrics_nb"
author = "rankmetrics_nb contributors"
copyright = "2026 onwards, rankmetrics_nb contributors"
release = rankmetrics_nb.__version__
html_title = f"rankmetrics_nb {release}"

extensions = ["myst_nb", "sphinx.ext.mathjax"]
myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 3
# The pages show the outputs that the notebooks hold: no kernel runs. docs/live.py drew the widgets.
nb_execution_mode = "off"
nb_render_markdown_format = "myst"
nb_ipywidgets_js = {"embed.js": {}, "widgets.js": {}}
nb_code_prompt_show = "Show code"
nb_code_prompt_hide = "Hide code"

html_theme = "sphinx_book_theme"
html_static_path = ["_static"]
html_css_files = ["explorers.css", "book.css"]
html_js_files = ["book.js", ("explorers.js", {"defer": "defer"}), ("live.js", {"defer": "defer"})]
html_favicon = "_static/icon.svg"
html_last_updated_fmt = None
html_use_index = False
html_context = {"default_mode": "auto"}
html_theme_options = {"show_toc_level": 2, "show_navbar_depth": 1, "use_download_button": True, "use_fullscreen_button": False}

# Everything comes from the folder of the pages, so that they can be read without a network.
mathjax_path = "tex-svg.js"
