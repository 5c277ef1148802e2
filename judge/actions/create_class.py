"""Making a class, and a new join code for one."""

from dataclasses import dataclass

from sqlalchemy import func, insert, select, update

from judge.actions.audit import add_audit
from judge.actions.class_rules import MAX_CLASSES, check_class, hash_join_code, new_join_code
from judge.db.engine import Database
from judge.db.queries.accounts import lock_account
from judge.db.queries.classes import ACTIVE, TEACHER
from judge.db.queries.school_classes import lock_class, select_taught_class
from judge.db.tables import membership, school_class
from judge.db.types import new_id, now
from judge.domain.access import Caller
from judge.errors import Conflict, Invalid


@dataclass(frozen=True)
class NewClass:
    """What a teacher says of a class; the time zone is that of its due times."""

    name: str
    locale: str
    time_zone: str


@dataclass(frozen=True)
class CreatedClass:
    """The new class, and the code that is shown this once."""

    class_id: str
    join_code: str


def create_class(database: Database, teacher: Caller, new: NewClass) -> CreatedClass:
    """Make a class that the caller teaches.

    Raises:
        Invalid: a field breaks its rule; every such field is named.
        Conflict: the account has made MAX_CLASSES classes.
    """
    flaws = check_class(new.name, new.locale, new.time_zone)
    if flaws:
        raise Invalid("invalid-class", *flaws)
    class_id, code, moment = new_id(), new_join_code(), now()
    with database.write() as connection:
        lock_account(connection, teacher.account_id)
        own = school_class.c.created_by == teacher.account_id
        made = connection.scalar(select(func.count()).select_from(school_class).where(own))
        if (made or 0) >= MAX_CLASSES:
            raise Conflict("too-many-classes", most=MAX_CLASSES)
        connection.execute(
            insert(school_class).values(
                id=class_id,
                name=new.name.strip(),
                locale=new.locale,
                time_zone=new.time_zone,
                join_code_hash=hash_join_code(code),
                created_by=teacher.account_id,
                created_at=moment,
                updated_at=moment,
            )
        )
        connection.execute(
            insert(membership).values(
                class_id=class_id,
                account_id=teacher.account_id,
                role=TEACHER,
                state=ACTIVE,
                created_at=moment,
                joined_at=moment,
            )
        )
        add_audit(connection, teacher, "class.create", f"class:{class_id}", {}, {"name": new.name})
    return CreatedClass(class_id, code)


def renew_join_code(database: Database, teacher: Caller, class_id: str) -> str:
    """Give a class a new join code, which ends the one before.

    Raises:
        NotFound: there is no such class, or the caller does not teach it.
        Conflict: ``class-archived``.
    """
    code = new_join_code()
    with database.write() as connection:
        lock_class(connection, class_id)
        found = select_taught_class(connection, class_id, teacher)
        if found.archived_at is not None:
            raise Conflict("class-archived")
        connection.execute(
            update(school_class)
            .where(school_class.c.id == class_id)
            .values(join_code_hash=hash_join_code(code), updated_at=now())
        )
        add_audit(connection, teacher, "class.join-code", f"class:{class_id}", {}, {})
    return code
