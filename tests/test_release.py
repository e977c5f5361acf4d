"""What is ready for a release: links as settings, the tag, and files that can be read."""

import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml

import newsclean
from deploy import release
from tests.code_blocks import ROOT

URLS = {
    "NEWSCLEAN_REPOSITORY_URL": "https://example.org/newsclean",
    "NEWSCLEAN_DOCS_URL": "https://example.org/docs",
}
PROJECT = (ROOT / "pyproject.toml").read_text("utf-8")
WORKFLOW = yaml.safe_load((ROOT / "deploy" / "release.yml").read_text("utf-8"))


def test_the_links_of_the_project_are_settings_of_the_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "urls" not in tomllib.loads(PROJECT)["project"]
    project = tmp_path / "pyproject.toml"
    project.write_text(PROJECT, "utf-8")
    for name, url in URLS.items():
        monkeypatch.setenv(name, url)
    assert release.main(["links", "--project", str(project)]) == 0
    with_links = tomllib.loads(project.read_text("utf-8"))["project"]
    urls = with_links.pop("urls")
    assert urls == {
        "Repository": "https://example.org/newsclean",
        "Documentation": "https://example.org/docs",
    }
    assert with_links == tomllib.loads(PROJECT)["project"]


def test_a_release_without_its_links_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in URLS:
        monkeypatch.delenv(name, raising=False)
    assert release.main(["links"]) == 2
    assert "NEWSCLEAN_REPOSITORY_URL='': it takes an https URL" in capsys.readouterr().err
    assert (ROOT / "pyproject.toml").read_text("utf-8") == PROJECT


def test_only_the_tag_of_the_version_is_released(capsys: pytest.CaptureFixture[str]) -> None:
    assert release.main(["check", f"v{newsclean.__version__}"]) == 0
    assert release.main(["check", "v9.9"]) == 1
    assert "the tag is v9.9" in capsys.readouterr().err


def test_the_workflow_tests_the_wheel_before_it_publishes_it_without_a_password() -> None:
    jobs = WORKFLOW["jobs"]
    assert [*jobs] == ["build", "test", "image", "publish"]
    assert jobs["test"]["needs"] == "build"
    assert jobs["publish"]["needs"] == ["test", "image"]
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert jobs["publish"]["steps"][-1]["with"] == {"attestations": True}
    assert "secrets." not in (ROOT / "deploy" / "release.yml").read_text("utf-8")
    variables = jobs["build"]["steps"][3]["env"]
    assert variables.keys() == URLS.keys()


def test_every_workflow_and_issue_template_is_yaml_with_names_that_exist() -> None:
    for path in sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")):
        template = yaml.safe_load(path.read_text("utf-8"))
        if path.name != "config.yml":
            assert template.keys() == {"name", "description", "labels", "body"}
            ids = [part["id"] for part in template["body"] if part["type"] != "markdown"]
            assert len(ids) == len(set(ids)) > 1


def test_the_citation_names_this_version_its_license_and_all_papers() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == newsclean.__version__
    assert citation["license"] == tomllib.loads(PROJECT)["project"]["license"]
    notes = json.dumps([reference["notes"] for reference in citation["references"]])
    for method in ("stadynot", "coreex", "boilerpipe", "boilerpipe-tree", "tree", "mss", "visual"):
        assert re.search(rf"\b{method}\b", notes), method
