"""Joins the parts of the web side into one application; has no routes of its own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Lock
from typing import Any

from fastapi import APIRouter, Depends, FastAPI
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from judge import __version__
from judge.api import (
    admin_accounts,
    admin_audit,
    admin_links,
    admin_problems,
    admin_rejudges,
    admin_uploads,
    assignments,
    auth,
    catalogue,
    classes,
    drafts,
    errors,
    feedback,
    gradebook,
    health,
    languages,
    links,
    me,
    me_access,
    members,
    notices,
    own_data,
    problem_texts,
    problems,
    progress,
    runs,
    scores,
    submission_batch,
    submission_events,
    submission_retries,
    submissions,
)
from judge.api.counting import count_request, count_sign_in
from judge.api.cross_origin import CrossOrigin
from judge.api.deps import Parts
from judge.api.error_codes import CODES_BY_STATUS
from judge.api.etags import answer_unless_known
from judge.api.intake import Intake
from judge.api.middleware import Admission, BodyLimit, RequestFrame
from judge.api.openapi import complete
from judge.api.parameters import refuse_unknown_parameters
from judge.api.rates import Rates, policies
from judge.api.reader_locale import find_reader_locale, meet_reader
from judge.api.sign_in_limit import SignInLimit
from judge.api.texts import TextRenderer
from judge.api.waiting import Waiters
from judge.db.engine import Database
from judge.db.types import new_id
from judge.packages.files import MAX_PACKED_BYTES
from judge.queue.wakeup import Bell
from judge.settings import Settings
from judge.web import docs
from judge.worker.housekeeper import Housekeeper

API = "/api/v1"


def create_app(settings: Settings) -> FastAPI:
    """The application; it opens the database at once and closes it when it is shut down.

    The database must be migrated already.
    """
    bell = Bell(settings.data_dir / "bell")
    parts = Parts(
        settings=settings,
        database=Database(settings.database_url),
        bell=bell,
        waiters=Waiters(bell, settings.max_waiting),
        sign_in_limit=SignInLimit(),
        rates=Rates(policies(settings)),
        renderer=TextRenderer(),
        intake=Intake(),
    )
    app = _Application(
        title="Decode Judge",
        version=__version__,
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
        generate_unique_id_function=_operation_id,
    )
    app.state.parts = parts
    # These come before there is a caller to count.
    for module in (auth, links):
        app.include_api(module.router, Depends(count_sign_in), Depends(refuse_unknown_parameters))
    for module in (
        me,
        me_access,
        progress,
        catalogue,
        problems,
        problem_texts,
        drafts,
        runs,
        submissions,
        submission_batch,
        submission_events,
        submission_retries,
        scores,
        languages,
        admin_accounts,
        admin_audit,
        admin_links,
        feedback,
        notices,
        own_data,
        admin_problems,
        admin_rejudges,
        admin_uploads,
        assignments,
        classes,
        gradebook,
        members,
    ):
        app.include_api(module.router, Depends(count_request), Depends(refuse_unknown_parameters))
    app.include_router(health.router)
    app.include_router(docs.make_router(find_reader_locale, answer_unless_known, CODES_BY_STATUS))
    errors.install(app, meet_reader)
    # The last one added is the first to see a request.
    uploads = Admission(MAX_PACKED_BYTES, admin_uploads.admit_upload)
    batches = Admission(submission_batch.MAX_BATCH_BYTES, submission_batch.admit_batch)
    larger = {f"{API}/admin/problems:import": uploads, f"{API}{submission_batch.PATH}": batches}
    app.add_middleware(BodyLimit, larger=larger)
    if settings.origins:
        app.add_middleware(CrossOrigin, origins=settings.origins)
    app.add_middleware(RequestFrame, new_id=new_id, public_url=settings.public_url)
    return app


class _Application(FastAPI):
    """FastAPI, with the document that judge.api.openapi completes."""

    def __init__(self, **options: Any) -> None:
        self._describing = Lock()
        self._api_routes: list[BaseRoute] = []
        super().__init__(**options)

    def include_api(self, router: APIRouter, *dependencies: Any) -> None:
        """Serve these routes as part of the API."""
        self.include_router(router, prefix=API, dependencies=dependencies)
        self._api_routes += router.routes

    def openapi(self) -> dict[str, Any]:
        """The OpenAPI document, made once; no thread sees it before it is complete."""
        with self._describing:
            if self.openapi_schema is None:
                complete(super().openapi(), self._api_routes)
        return dict(self.openapi_schema or {})


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    parts: Parts = app.state.parts
    housekeeper = Housekeeper(parts.database, parts.bell)
    parts.waiters.start()
    if parts.settings.chores:
        housekeeper.start()
    try:
        yield
    finally:
        if parts.settings.chores:
            housekeeper.stop()
        parts.waiters.stop()
        parts.database.close()


def _operation_id(route: APIRoute) -> str:
    return route.name
