"""A ladder whose kept order is wrong is found and mended by the doctor."""

from pathlib import Path

import pytest

from bot.features.ladders.store import Ladders
from bot.ops.doctor import RepairMode
from bot.platform.db.store import Store
from tests.store.test_ladders import PEOPLE, load, open_ladder
from tests.support.stored import connect_directly
from tests.upkeep.test_doctor import call_doctor

pytestmark = pytest.mark.asyncio


async def test_the_doctor_works_out_the_order_of_a_ladder_again(new: Path) -> None:
    async with await Store.open(new) as store:
        number = await open_ladder(store)
    with connect_directly(new) as connection:
        connection.execute("UPDATE ladder_players SET rung = 5 - rung")
    is_sound, texts = await call_doctor(str(new))
    assert not is_sound
    assert f"ladder {number}: its order is not what its challenges have made of it" in texts
    _, texts = await call_doctor(str(new), RepairMode.AT_ONCE)
    assert f"work out the order of ladder {number} from all that happened on it" in str(texts)
    async with await Store.open(new) as store:
        assert (await load(store, number)).rungs == PEOPLE
        assert await store.get(Ladders).find_wrong_orders() == []
