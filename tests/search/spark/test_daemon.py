"""What is imported before the processes of tasks are forked, and from where."""

from __future__ import annotations

from pathlib import Path

from checker.search.spark.daemon import without_archives


def made(place: Path, *folders: str) -> list[str]:
    """A path as Spark sets it: the archives of an installed one first; then the folder that has these packages."""
    site = place / "site"
    for name in folders:
        (site / name).mkdir(parents=True)
    return [str(site / "pyspark" / "python" / "lib" / name) for name in ("pyspark.zip", "py4j-src.zip")] + [
        str(site),
        str(place),
    ]


def test_of_an_installed_spark_modules_are_read_and_not_archives(tmp_path: Path) -> None:
    """Python keeps what it compiled of a module, of an archive it keeps nothing."""
    path = made(tmp_path, "pyspark", "py4j")
    assert without_archives(path) == path[2:]


def test_an_archive_without_its_package_stays(tmp_path: Path) -> None:
    """py4j may be missing where Spark was unpacked."""
    path = made(tmp_path, "pyspark")
    assert without_archives(path) == path


def test_the_archives_of_another_spark_than_the_installed_one_stay(tmp_path: Path) -> None:
    """SPARK_HOME may name one: its own modules belong to it."""
    other = [str(tmp_path / "spark" / "python" / "lib" / name) for name in ("pyspark.zip", "py4j-src.zip")]
    path = [*other, *made(tmp_path, "pyspark", "py4j")[2:]]
    assert without_archives(path) == path


def test_a_path_without_archives_stays(tmp_path: Path) -> None:
    """As where PySpark starts from a checkout."""
    assert without_archives([str(tmp_path)]) == [str(tmp_path)]


def test_a_lone_archive_stays() -> None:
    """Whatever its name says."""
    assert without_archives(["pyspark.zip"]) == ["pyspark.zip"]
