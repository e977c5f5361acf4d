"""What a training keeps on disk."""

from pathlib import Path

from newsclean.lab.training.training_cache import EXAMPLES, NETWORKS, kept


def test_what_was_made_is_made_once(tmp_path: Path) -> None:
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return len(made)

    folder = tmp_path / "cache"
    assert [kept(folder, EXAMPLES, ["page"], make) for _ in range(3)] == [1, 1, 1]
    assert kept(folder, EXAMPLES, ["another page"], make) == 2
    assert kept(folder, NETWORKS, ["page"], make) == 3
    assert not list(folder.glob("part-*"))


def test_without_a_folder_nothing_is_kept() -> None:
    made = iter((1, 2))
    assert [kept(None, EXAMPLES, [], lambda: next(made)) for _ in range(2)] == [1, 2]


def test_all_code_that_is_named_exists() -> None:
    import newsclean

    root = Path(newsclean.__file__).parent
    assert all((root / name).exists() for name in NETWORKS)
