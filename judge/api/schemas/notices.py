"""What an answer says beside what was asked: nothing went wrong, but it is other than expected."""

from judge.api.schemas.base import AnswerModel
from judge.i18n import text


class NoticeAnswer(AnswerModel):
    """One thing to know; ``code`` is stable, ``message`` speaks the reader's locale."""

    code: str
    message: str


def visibility_notices(wished: str, visibility: str, locale: str) -> list[NoticeAnswer]:
    """That a problem is shown to fewer people than judge.yaml says, or to no learner at all."""
    codes = []
    if visibility != wished:
        codes.append("visibility-narrowed")
    if visibility == "draft":
        codes.append("visible-as-draft")
    details = {"wished": wished, "visibility": visibility}
    return [
        NoticeAnswer(code=code, message=text(f"notice.{code}", locale, details)) for code in codes
    ]
