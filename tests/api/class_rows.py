"""A class and its members as rows, where a test is about something else."""

from api_world import World
from sqlalchemy import insert, update

from judge.db.tables import membership, school_class
from judge.db.types import new_id, now


def add_class(world: World, teacher: str, *learners: str, state: str = "active") -> str:
    """A class with its teacher; the learners are in the given state."""
    class_id, moment = new_id(), now()
    members = [(teacher, "teacher", "active"), *((one, "learner", state) for one in learners)]
    with world.database.write() as connection:
        connection.execute(
            insert(school_class).values(
                id=class_id,
                name="Class 3",
                locale="vi",
                time_zone="Asia/Ho_Chi_Minh",
                created_at=moment,
                updated_at=moment,
            )
        )
        connection.execute(
            insert(membership),
            [
                {
                    "class_id": class_id,
                    "account_id": world.accounts[handle],
                    "role": role,
                    "state": how,
                    "created_at": moment,
                }
                for handle, role, how in members
            ],
        )
    return class_id


def archive_class(world: World, class_id: str) -> None:
    with world.database.write() as connection:
        connection.execute(
            update(school_class).where(school_class.c.id == class_id).values(archived_at=now())
        )
