"""The build recipe: name, version and requirements come from settings.ini, the rest from pyproject.toml."""
from configparser import ConfigParser
from pathlib import Path

from setuptools import find_packages, setup

EXTRAS = ("stats", "notebook", "gui", "app", "book", "dev")


def read_settings():
    config = ConfigParser(delimiters=["="])
    config.read(Path(__file__).with_name("settings.ini"), encoding="utf-8")
    return config["DEFAULT"]


settings = read_settings()
extras = {name: settings[f"{name}_requirements"].split() for name in EXTRAS}
extras["all"] = sorted({requirement for names in extras.values() for requirement in names})
packages = find_packages(include=[settings["lib_path"], f"{settings['lib_path']}.*"])
gui_packages = find_packages("gui", include=["rankmetrics_gui", "rankmetrics_gui.*"])

setup(
    version=settings["version"],
    description=settings["description"],
    keywords=settings["keywords"].split(),
    python_requires=f">={settings['min_python']}",
    packages=packages + gui_packages,
    package_dir={"rankmetrics_gui": "gui/rankmetrics_gui"},
    package_data={settings["lib_path"]: ["py.typed", "*.pyi", "data/*", "data/**/*"], "rankmetrics_gui": ["py.typed", "data/*"]},
    install_requires=settings["requirements"].split(),
    extras_require=extras,
    entry_points={
        "console_scripts": settings["console_scripts"].split(),
        "gui_scripts": settings["gui_scripts"].split(),
        "nbdev": [f"{settings['lib_path']}={settings['lib_path']}._modidx:d"],
    },
)
