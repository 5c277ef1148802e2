"""The texts that are one of a few words, as the OpenAPI document names them.

The words themselves stand where they are owned; here they are only joined to a text.
"""

from typing import Annotated, Literal

from judge.actions.answer_feedback import REPLY_NOTICE
from judge.actions.audit import REJUDGE_NOTICE
from judge.actions.class_rules import INVITATION_NOTICE
from judge.actions.reset_link import NOTICE as RESET_NOTICE
from judge.actions.sort_feedback import STATUS_NOTICE
from judge.api.schemas.base import OneOf, Text
from judge.domain.access import Role, Scope
from judge.domain.catalogue import Standing
from judge.domain.feedback import FeedbackKind, FeedbackState
from judge.domain.problem import LOCALES, Visibility
from judge.domain.rejudging import Change
from judge.domain.roster import Effect
from judge.domain.states import (
    EXPORT_STATES,
    JUDGEMENT_CAUSES,
    JUDGEMENT_STATES,
    LOCKABLE,
    MEMBER_ROLES,
    MEMBER_STATES,
    PROBLEM_STATES,
    PROBLEM_VISIBILITIES,
    REJUDGE_STATES,
    RUN_STATES,
    VERIFY_STATES,
)
from judge.domain.verdicts import FINAL_VERDICTS, Reason, Verdict
from judge.errors import SEVERITIES
from judge.harness.languages import LANGUAGES

_LANGUAGE = OneOf("Language", LANGUAGES)
_LOCALE = OneOf("Locale", LOCALES)
# Enforced where a request or an address holds them; tests hold both to LANGUAGES and LOCALES.
LanguageName = Annotated[Literal["python", "cpp", "java"], _LANGUAGE]
LocaleName = Annotated[Literal["vi", "ja", "en"], _LOCALE]
LanguageId = Annotated[str, _LANGUAGE]
LocaleId = Annotated[str, _LOCALE]
AskedLanguage = Annotated[Text, _LANGUAGE]
AskedLocale = Annotated[Text, _LOCALE]

RoleName = Annotated[str, OneOf("Role", Role)]
ScopeName = Annotated[str, OneOf("Scope", Scope)]
AskedScope = Annotated[Text, OneOf("Scope", Scope)]

JudgementState = Annotated[str, OneOf("JudgementState", JUDGEMENT_STATES)]
JudgementCause = Annotated[str, OneOf("JudgementCause", JUDGEMENT_CAUSES)]
RunState = Annotated[str, OneOf("RunState", RUN_STATES)]
FinalVerdict = Annotated[str, OneOf("FinalVerdict", FINAL_VERDICTS)]
CaseVerdict = Annotated[str, OneOf("Verdict", Verdict)]
ReasonName = Annotated[str, OneOf("Reason", Reason)]
CaseVisibility = Annotated[str, OneOf("CaseVisibility", Visibility)]
Lockable = Annotated[str, OneOf("Lockable", LOCKABLE)]

ProblemState = Annotated[str, OneOf("ProblemState", PROBLEM_STATES)]
ProblemVisibility = Annotated[str, OneOf("ProblemVisibility", PROBLEM_VISIBILITIES)]
VerifyState = Annotated[str, OneOf("VerifyState", VERIFY_STATES)]
# Of a dry run there is no revision whose verification could be in any state.
UploadState = Annotated[str, OneOf("UploadState", ("", *VERIFY_STATES))]
Severity = Annotated[str, OneOf("Severity", SEVERITIES)]
StandingName = Annotated[str, OneOf("Standing", Standing)]

MemberRole = Annotated[str, OneOf("MemberRole", MEMBER_ROLES)]
MemberState = Annotated[str, OneOf("MemberState", MEMBER_STATES)]
RosterEffect = Annotated[str, OneOf("RosterEffect", Effect)]

ThreadKind = Annotated[str, OneOf("FeedbackKind", FeedbackKind)]
ThreadState = Annotated[str, OneOf("FeedbackState", FeedbackState)]

RejudgeState = Annotated[str, OneOf("RejudgeState", REJUDGE_STATES)]
ScoreChange = Annotated[str, OneOf("ScoreChange", Change)]
ExportState = Annotated[str, OneOf("ExportState", EXPORT_STATES)]
NoticeKind = Annotated[
    str,
    OneOf(
        "NoticeKind",
        (REJUDGE_NOTICE, REPLY_NOTICE, STATUS_NOTICE, INVITATION_NOTICE, RESET_NOTICE),
    ),
]
