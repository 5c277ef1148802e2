"""What an answer says beside what was asked: nothing went wrong, but it is other than expected."""

from judge.api.schemas.base import AnswerModel
from judge.domain.access import visibility_notices as domain_notices
from judge.i18n import text


class NoticeAnswer(AnswerModel):
    """One thing to know; ``code`` is stable, ``message`` speaks the reader's locale."""

    code: str
    message: str


def visibility_notices(wished: str, visibility: str, locale: str) -> list[NoticeAnswer]:
    """That a problem is shown to fewer people than judge.yaml says, or to no learner at all."""
    codes = domain_notices(wished, visibility)
    details = {"wished": wished, "visibility": visibility}
    return [
        NoticeAnswer(code=code, message=text(f"notice.{code}", locale, details)) for code in codes
    ]
