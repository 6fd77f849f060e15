/**
 * Tests that users can still change and remove their comments, likes and favorites of a photo that is now
 * hidden from them.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused, assertWritten } from '../support/assert-answers.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addPhoto, type Person, register } from '../support/people.ts';

describe('below a photo that was hidden', () => {
  let gallery: Gallery;
  let owner: Person;
  let fan: Person;
  let other: Person;

  before(async () => {
    gallery = await startGallery();
    [owner, fan, other] = [
      await register(gallery, 'owner'),
      await register(gallery, 'fan'),
      await register(gallery, 'other'),
    ];
  });
  after(() => gallery.close());

  const setPublic = async (id: number, is_public: number) =>
    assertDone(await owner.put(`/api/photos/${id}`, { is_public }));
  const say = async (who: Person, id: number, content: string, parent_id = 0) =>
    assertWritten(await who.post(`/api/photos/${id}/comments`, { content, parent_id })).id as number;

  test('an author can change and delete own comments below a hidden photo, but sees no others', async () => {
    const { id } = await addPhoto(owner, { title: 'hidden title' });
    const [first, second] = [await say(fan, id, 'first'), await say(fan, id, 'second')];
    await say(other, id, 'whispered reply', first);
    await setPublic(id, 0);

    const changed = assertWritten(await fan.put(`/api/comments/${first}`, { content: 'other words' }));
    assert.deepEqual([changed.id, changed.content, changed.replies], [first, 'other words', []]);
    assert.doesNotMatch(JSON.stringify(changed), /whispered|hidden title/);
    assertDone(await fan.delete(`/api/comments/${second}`));
    assertRefused(await other.put(`/api/comments/${first}`, { content: 'x' }), 403, 40002);
    assertRefused(await other.delete(`/api/comments/${first}`), 403, 40002);
    assertRefused(await fan.get(`/api/comments/${first}/replies`), 403, 40002);
    assertRefused(await fan.post(`/api/photos/${id}/comments`, { content: 'new' }), 403, 20004);

    const { list, pagination } = assertRead(await owner.get(`/api/photos/${id}/comments`));
    assert.deepEqual(
      [pagination.total, list[0].content, list[0].replies[0].content],
      [1, 'other words', 'whispered reply'],
    );
    assertDone(await owner.delete(`/api/photos/${id}`));
    assertRefused(await fan.put(`/api/comments/${first}`, { content: 'x' }), 404, 40001);
    assertRefused(await fan.delete(`/api/comments/${first}`), 404, 40001);
  });

  for (const [path, is, count] of [
    ['like', 'is_liked', 'likes'],
    ['favorite', 'is_favorited', 'favorites'],
  ] as const) {
    test(`a user can remove a ${path} from a hidden photo, but cannot set it again`, async () => {
      const { id } = await addPhoto(owner, { title: path });
      for (const who of [fan, owner, other]) assertWritten(await who.post(`/api/photos/${id}/${path}`));
      await setPublic(id, 0);
      const taken = assertWritten(await fan.post(`/api/photos/${id}/${path}`));
      assert.deepEqual(taken, { [is]: false, [count]: 0 });
      assertRefused(await fan.post(`/api/photos/${id}/${path}`), 403, 20004);
      assert.equal(assertRead(await owner.get(`/api/photos/${id}`))[count], 2);
      const { list } = assertRead(await owner.get('/api/notifications'));
      const [notification] = list.filter(
        (one: { type: string; photo: { id: number } }) => one.type === path && one.photo.id === id,
      );
      assert.deepEqual([notification.count, notification.actor.id], [1, other.id]);
      assertDone(await owner.delete(`/api/photos/${id}`));
      assertRefused(await other.post(`/api/photos/${id}/${path}`), 404, 20003);
    });
  }

  test('a user can remove a like of a comment below a hidden photo, but cannot set it again', async () => {
    const { id } = await addPhoto(owner);
    const comment = await say(owner, id, 'nice');
    for (const who of [fan, other]) assertWritten(await who.post(`/api/comments/${comment}/like`));
    await setPublic(id, 0);
    assert.deepEqual(assertWritten(await fan.post(`/api/comments/${comment}/like`)), {
      is_liked: false,
      likes: 0,
    });
    assertRefused(await fan.post(`/api/comments/${comment}/like`), 403, 40002);
    const again = await fan.post(`/api/comments/${comment}/like`, { liked: false });
    assert.deepEqual(assertWritten(again), { is_liked: false, likes: 0 });
    assert.equal(assertRead(await owner.get(`/api/photos/${id}/comments`)).list[0].likes, 1);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
