"""What an upload may hold, what is told of it, and what two processes say to each other."""

import pytest
from package_builder import case_texts, load_package, package_files, refusal

from judge.errors import Finding
from judge.packages import cases, texts
from judge.packages.content import content_of
from judge.packages.files import PROOF_NAME, PackageFiles, to_zip
from judge.packages.findings import MAX_MESSAGE_CHARACTERS, cut_short
from judge.packages.intake import examine as examining
from judge.packages.intake import wire
from judge.packages.intake.examine import Examined, examine, reread
from judge.packages.intake.wire import (
    Order,
    WireBroken,
    read_answer,
    read_order,
    write_answer,
    write_order,
)


def codes(examined: Examined) -> list[str]:
    return [one.code for one in examined.findings]


class TestExamine:
    def test_a_clean_package_is_what_is_stored(self) -> None:
        examined = examine(to_zip(package_files()), ())
        assert examined == Examined((), content_of(load_package()))

    def test_a_proof_that_comes_along_is_left_out(self) -> None:
        files = PackageFiles({**package_files(), PROOF_NAME: b"{}"})
        examined = examine(to_zip(files), ())
        assert examined.content is not None
        assert examined.content.blob == to_zip(package_files())

    def test_what_cannot_be_read_or_has_an_error_is_told_and_not_stored(self) -> None:
        assert codes(examine(b"no archive", ())) == ["bad-archive"]
        broken = package_files({"statement/problem.ja.md": None})
        examined = examine(to_zip(broken), ())
        assert "missing-statement" in codes(examined)
        assert examined.content is None

    def test_what_was_stored_before_is_not_judged_again(self) -> None:
        broken = to_zip(package_files({"statement/problem.ja.md": None}))
        assert reread(broken).content is not None

    @pytest.mark.parametrize("name", ["MAX_PACKED_BYTES", "MAX_STORED_CASE_BYTES"])
    def test_what_would_be_stored_has_limits_too(
        self, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        archive = to_zip(package_files())
        monkeypatch.setattr(examining, name, 100)
        assert codes(examine(archive, ())) == ["package-too-large"]


class TestCaps:
    def test_so_many_cases(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cases, "MAX_CASES", 3)
        (found,) = refusal(load_package)
        assert (found.code, found.message) == ("too-many-cases", "4 test cases; 3 may be")

    def test_so_many_groups(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cases, "MAX_GROUPS", 2)
        (found,) = refusal(load_package)
        assert (found.code, found.message) == ("too-many-cases", "3 test groups; 2 may be")

    def test_the_texts_of_all_cases_together(self) -> None:
        some = [0.5] * 400_000
        changes: dict[str, str | bytes | None] = {}
        for number in range(11, 22):
            changes |= case_texts(f"secret/10-basic/{number}", some, 1.0, 0)
        (found,) = refusal(lambda: load_package(changes))
        assert found.code == "too-much-data"
        assert str(cases.MAX_TEXT_DATA_BYTES) in found.message

    def test_the_arrays_of_all_cases_together(self) -> None:
        array = bytes(cases.MAX_ARRAY_DATA_BYTES + 1)
        (found,) = refusal(lambda: load_package({"data/sample/01.files/a.npy": array}))
        assert found.code == "too-much-data"
        assert str(cases.MAX_ARRAY_DATA_BYTES) in found.message

    def test_one_text_and_all_of_them(self) -> None:
        one = "a " * (texts.MAX_TEXT_BYTES // 2)
        found = refusal(lambda: load_package({"hints/1.en.md": one + "a"}))
        assert [one.code for one in found] == ["text-too-large"]
        many = {
            f"hints/{number}.{locale}.md": one
            for number in range(1, 7)
            for locale in ("vi", "ja", "en")
        }
        (too_many,) = refusal(lambda: load_package(many))
        assert too_many.code == "texts-too-large"
        assert str(texts.MAX_TEXTS_BYTES) in too_many.message


class TestFindings:
    def test_very_many_are_cut_short_and_counted(self) -> None:
        many = [Finding("a", f"file:{number}", "wrong") for number in range(12)]
        shown = cut_short(many, 10)
        assert shown[:10] == tuple(many[:10])
        assert (shown[10].code, shown[10].message) == (
            "more-findings",
            "2 more findings are left off",
        )
        assert cut_short(many[:10], 10) == tuple(many[:10])

    def test_no_error_is_left_off_for_a_warning(self) -> None:
        warnings = [Finding("w", "a", "look", "warning") for _ in range(12)]
        error = Finding("e", "z", "wrong")
        shown = cut_short([*warnings, error], 10)
        assert error in shown
        assert (len(shown), shown[-1].severity) == (11, "warning")

    def test_a_message_that_quotes_the_package_is_cut(self) -> None:
        (shown,) = cut_short([Finding("a", "b", "x" * 100_000)])
        assert len(shown.message) == MAX_MESSAGE_CHARACTERS


class TestWire:
    def test_an_order_and_an_answer_arrive_as_they_were_sent(self) -> None:
        for order in (Order(b"\x00archive", ("one", "two")), Order(b"", None)):
            assert read_order(write_order(order)) == order
        findings = (Finding("a", "b", "ま\udc80", "warning"),)
        for content in (None, content_of(load_package())):
            examined = Examined(findings, content)
            assert read_answer(write_answer(examined)) == examined

    @pytest.mark.parametrize("cut", [0, 7, 8, 100, -1])
    def test_what_is_cut_off_is_no_answer(self, cut: int) -> None:
        answer = write_answer(Examined((), content_of(load_package())))
        for broken in (answer[:cut], answer + b"x", bytes(8) + answer):
            with pytest.raises(WireBroken):
                read_answer(broken)

    @pytest.mark.parametrize(
        "head",
        [
            b"{}",
            b"[]",
            b'{"sizes": []}',
            b'{"sizes": [-1]}',
            b'{"sizes": [], "findings": [{"code": 1}]}',
            b'{"sizes": [], "findings": [], "content": {}}',
        ],
    )
    def test_a_head_of_another_form_is_no_answer(self, head: bytes) -> None:
        with pytest.raises(WireBroken):
            read_answer(len(head).to_bytes(8, "little") + head)

    def test_a_head_that_is_too_large_is_not_written(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(wire, "MAX_HEAD_BYTES", 100)
        with pytest.raises(WireBroken):
            write_answer(Examined((), content_of(load_package())))
