"""A problem that is judged by its distribution, as readers meet it."""

from pathlib import Path

from api_world import World

from judge.actions.publish import publish
from judge.packages.files import PackageFiles, read_folder
from judge.packages.package import load
from judge.packages.proof import Proof

FOLDER = Path(__file__).parents[1] / "grading" / "packages" / "dist_sampler"


def test_a_sample_shows_one_draw_and_the_distribution(world: World) -> None:
    files = dict(read_folder(FOLDER))
    files |= {f"statement/problem.{locale}.md": b"$p$\n" for locale in ("vi", "ja", "en")}
    text = files["judge.yaml"].decode()
    files["judge.yaml"] = text.replace("visibility: draft", "visibility: public").encode()
    package = load(PackageFiles(files), "dist_sampler")
    values = {case.id: 18.5 for case in package.problem.cases}
    publish(world.database, package, Proof(package.content_hash, "test", 3, 7, 4, values))

    answer = world.anonymous().get("/api/v1/problems/dist_sampler").json()
    assert answer["signature"]["returns"] == "int"
    (sample,) = answer["samples"]
    assert sample["expected"] == [0.5, 0.25, 0.25]
    assert sample["display"]["python"] == {
        "input": "probs = [0.5, 0.25, 0.25]\nuniforms = [0.6]",
        "call": "result = dist_sampler(probs, uniforms)",
        "expected": "expected = [0.5, 0.25, 0.25]",
    }
