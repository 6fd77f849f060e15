import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { type Notification, readNotifications } from '../../support/notifications.ts';
import { addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';

describe('notifications', () => {
  let gallery: Gallery;
  let fans: Person[];
  let ann: Person;
  let bob: Person;
  let admin: Person;
  let people = 0;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    bob = await register(gallery, 'bob');
    admin = await registerAdmin(gallery, 'admin');
    fans = await Promise.all(Array.from({ length: 8 }, (_, n) => register(gallery, `fan-${n}`)));
  });
  after(() => gallery.close());

  const someone = () => register(gallery, `someone-${people++}`);
  const read = async (who: Person, query = '') => assertRead(await who.get(`/api/notifications${query}`));
  const like = async (who: Person, id: number) => assertWritten(await who.post(`/api/photos/${id}/like`));
  const say = async (who: Person, photo: number, content: string, parent_id?: number): Promise<number> =>
    assertWritten(await who.post(`/api/photos/${photo}/comments`, { content, parent_id })).id;
  const readOwnNotifications = (who: Person) => readNotifications(gallery, who);
  const brief = ({ type, actor, count, is_read }: Notification) => [type, actor.id, count, is_read];

  test('tell of likes, favorites, comments and replies, the latest first', async () => {
    const owner = await someone();
    const { id, thumb } = await addPhoto(owner, { title: 'noticed' });
    await like(ann, id);
    gallery.travel(1);
    assertWritten(await bob.post(`/api/photos/${id}/favorite`));
    gallery.travel(1);
    const comment = await say(ann, id, 'a comment');
    gallery.travel(1);
    const reply = await say(bob, id, 'a reply', comment);

    const { list, pagination, unread } = await read(owner);
    assert.deepEqual([pagination, unread], [{ page: 1, limit: 20, total: 4, pages: 1 }, 4]);
    assert.deepEqual(list.map(brief), [
      ['comment', bob.id, 1, false],
      ['comment', ann.id, 1, false],
      ['favorite', bob.id, 1, false],
      ['like', ann.id, 1, false],
    ]);
    assert.deepEqual(Object.keys(list[0]), [
      'id',
      'type',
      'actor',
      'photo',
      'comment',
      'count',
      'is_read',
      'create_time',
    ]);
    assert.deepEqual(list[0].actor, { id: bob.id, username: 'bob', nickname: '', avatar: '' });
    assert.deepEqual(list[0].photo, { id, title: 'noticed', thumb });
    assert.deepEqual(list[0].comment, { id: reply, content: 'a reply' });
    assert.equal(list[3].comment, null);
    const told = (await readOwnNotifications(ann)).filter(({ photo }) => photo?.id === id);
    assert.deepEqual(told.map(brief), [['reply', bob.id, 1, false]]);
    assert.deepEqual(told[0]!.comment, { id: reply, content: 'a reply' });
  });

  test("skip a user's own actions, and tell the owner of a reply only once", async () => {
    const owner = await someone();
    const { id } = await addPhoto(owner, { title: 'own' });
    await like(owner, id);
    assertWritten(await owner.post(`/api/photos/${id}/favorite`));
    const own = await say(owner, id, 'first!');
    await say(owner, id, 'indeed', own);
    assert.deepEqual(await readOwnNotifications(owner), []);
    const answer = await say(fans[0]!, id, 'so what', own);
    assert.deepEqual((await readOwnNotifications(owner)).map(brief), [['reply', fans[0]!.id, 1, false]]);
    await say(fans[0]!, id, 'I mean it', answer);
    assert.deepEqual((await readOwnNotifications(owner)).map(brief), [
      ['comment', fans[0]!.id, 1, false],
      ['reply', fans[0]!.id, 1, false],
    ]);
    assert.deepEqual(await readOwnNotifications(fans[0]!), []);
    await like(owner, id);
    assert.equal((await readOwnNotifications(owner)).length, 2);
  });

  test('group the likes of a photo, and drop a like that is removed', async () => {
    const owner = await someone();
    const { id } = await addPhoto(owner, { title: 'grouped' });
    const other = await addPhoto(owner, { title: 'another' });
    const [one, two, three] = fans as [Person, Person, Person];
    const only = async () => {
      const grouped = (await readOwnNotifications(owner)).filter(({ photo }) => photo?.id === id);
      assert.equal(grouped.length, 1);
      return brief(grouped[0]!);
    };
    await like(one, id);
    await like(owner, id);
    await like(two, id);
    await like(one, other.id);
    await like(three, id);
    assert.deepEqual(await only(), ['like', three.id, 3, false]);
    await like(two, id);
    assert.deepEqual(await only(), ['like', three.id, 2, false]);
    await like(three, id);
    assert.deepEqual(await only(), ['like', one.id, 1, false]);

    const [notification] = (await readOwnNotifications(owner)).filter(({ photo }) => photo?.id === id);
    assertDone(await owner.post('/api/notifications/read', { ids: [notification!.id] }));
    assert.deepEqual(await only(), ['like', one.id, 1, true]);
    await like(two, id);
    assert.deepEqual(await only(), ['like', two.id, 2, false]);
    assertDone(await owner.post('/api/notifications/read', { ids: [notification!.id] }));
    assert.deepEqual(
      await only(),
      ['like', two.id, 2, false],
      'the notification that was seen did not have this like',
    );
    await like(two, id);
    assert.deepEqual(await only(), ['like', one.id, 1, true], 'what was read stays read');
    await like(one, id);
    assert.deepEqual(
      (await readOwnNotifications(owner)).map(brief),
      [['like', one.id, 1, false]],
      'of the other photo',
    );
    await like(owner, id);
    await like(two, id);
    assert.deepEqual(await only(), ['like', two.id, 1, false]);
  });

  test('count right when many like at once and take it back', async () => {
    const owner = await someone();
    const photos = await Promise.all([addPhoto(owner), addPhoto(owner)]);
    const storm = fans.flatMap((fan, n) => photos.flatMap(({ id }) => Array(n % 2 ? 3 : 2).fill([fan, id])));
    await Promise.all([
      ...storm.map(([fan, id]) => like(fan, id)),
      ...Array.from({ length: 6 }, () => owner.post('/api/notifications/read', { all: true })),
    ]);
    const grouped = await readOwnNotifications(owner);
    assert.deepEqual(
      grouped.map(({ type, count }) => [type, count]),
      [
        ['like', 4],
        ['like', 4],
      ],
    );
    for (const { id } of photos) for (const fan of fans.filter((_, n) => n % 2)) await like(fan, id);
    assert.deepEqual(await readOwnNotifications(owner), []);
  });

  test('are marked as read by id or all at once, one’s own only', async () => {
    const owner = await someone();
    const { id } = await addPhoto(owner, { title: 'to read' });
    for (let n = 0; n < 5; n++) await say(fans[n]!, id, `n${n}`);
    const [first, second] = await readOwnNotifications(owner);
    assertDone(await ann.post('/api/notifications/read', { ids: [first!.id] }));
    assertDone(await ann.post('/api/notifications/read', { all: true }));
    assert.equal((await read(owner)).unread, 5);
    assertDone(
      await owner.post('/api/notifications/read', { ids: [first!.id, first!.id, second!.id, 999_999] }),
    );
    const unread = await read(owner, '?unread=1&limit=2');
    assert.deepEqual([unread.unread, unread.pagination], [3, { page: 1, limit: 2, total: 3, pages: 2 }]);
    assert.ok(unread.list.every((notification: Notification) => !notification.is_read));
    assert.deepEqual(
      (await readOwnNotifications(owner)).map(({ is_read }) => is_read),
      [true, true, false, false, false],
    );
    assertDone(await owner.post('/api/notifications/read', { all: true }));
    assert.deepEqual([(await read(owner)).unread, (await read(owner, '?unread=1')).list], [0, []]);

    for (const body of [{}, { ids: [1], all: true }, { ids: [] }]) {
      assertRefused(await owner.post('/api/notifications/read', body), 400, 400, ['ids']);
    }
    assertRefused(await owner.post('/api/notifications/read', { ids: [0] }), 400, 400, ['ids.0']);
    assertRefused(await owner.post('/api/notifications/read', { all: false }), 400, 400, ['all']);
    assertRefused(await owner.get('/api/notifications?unread=2'), 400, 400, ['unread']);
    assertRefused(await asVisitor(gallery).get('/api/notifications'), 401, 401);
    assertRefused(await asVisitor(gallery).post('/api/notifications/read', { all: true }), 401, 401);
  });

  test('show nothing of a photo that the reader may no longer see', async () => {
    const owner = await someone();
    const reader = await someone();
    const { id } = await addPhoto(owner, { title: 'title of it' });
    const top = await say(reader, id, 'hello');
    await say(owner, id, 'answer to hello', top);
    await like(reader, id);
    const assertNothing = async (who: Person, count: number) => {
      const answer = await who.get('/api/notifications');
      assert.doesNotMatch(answer.bytes.toString(), /title of it|answer to hello|hello|storage/);
      assert.equal(answer.body.data.list.length, count);
      for (const { photo, comment } of answer.body.data.list)
        assert.deepEqual([photo, comment], [null, null]);
    };

    assertDone(await owner.put(`/api/photos/${id}`, { is_public: 0 }));
    await assertNothing(reader, 1);
    assert.match(
      (await readOwnNotifications(owner))[0]!.photo!.thumb,
      /access=|sig|\?/,
      'its owner sees it, by a signed path',
    );
    // Users get no notification about photos that they may not see.
    await say(owner, id, 'behind closed doors', top);
    assert.equal((await readOwnNotifications(reader)).length, 1);
    const byAdmin = await say(admin, id, 'I see all');
    await say(owner, id, 'I know', byAdmin);
    assert.equal((await readOwnNotifications(admin))[0]!.comment!.content, 'I know');

    assertDone(await owner.delete(`/api/photos/${id}`));
    await assertNothing(reader, 1);
    await assertNothing(owner, 3);
    assertDone(await owner.post(`/api/photos/${id}/restore`));
    for (const visibility of ['members', 'public']) {
      assertDone(await owner.put(`/api/photos/${id}`, { visibility }));
      assert.equal((await readOwnNotifications(reader))[0]!.comment!.content, 'answer to hello');
    }

    assertDone(await owner.delete(`/api/photos/${id}`));
    assertDone(await owner.delete(`/api/trash/${id}`));
    assert.deepEqual([await readOwnNotifications(reader), await readOwnNotifications(owner)], [[], []]);
  });

  test('tell of a follower, until they follow no longer', async () => {
    const [followed, follower] = [await someone(), await someone()];
    const follow = async () => assertWritten(await follower.post(`/api/users/${followed.id}/follow`));
    await follow();
    const [notification] = await readOwnNotifications(followed);
    assert.deepEqual(
      [...brief(notification!), notification!.photo, notification!.comment],
      ['follow', follower.id, 1, false, null, null],
    );
    assertDone(await followed.post('/api/notifications/read', { ids: [notification!.id] }));
    await follow();
    assert.deepEqual(await readOwnNotifications(followed), []);
    await follow();
    assert.deepEqual((await readOwnNotifications(followed)).map(brief), [['follow', follower.id, 1, false]]);
    assert.deepEqual(await readOwnNotifications(follower), []);
  });

  test('are deleted with the comment that they are about', async () => {
    const owner = await someone();
    const writers = [await someone(), await someone()] as const;
    const { id } = await addPhoto(owner, { title: 'deleted' });
    const top = await say(writers[0], id, 'top');
    const reply = await say(writers[1], id, 'reply', top);
    await say(writers[0], id, 'reply to the reply', reply);
    assert.deepEqual(
      (await Promise.all([owner, ...writers].map(readOwnNotifications))).map(({ length }) => length),
      [3, 1, 1],
    );
    assertWritten(await writers[1].put(`/api/comments/${reply}`, { content: 'changed' }));
    assert.equal((await readOwnNotifications(writers[0]))[0]!.comment!.content, 'changed');
    assertDone(await writers[1].delete(`/api/comments/${reply}`));
    assert.deepEqual(
      (await Promise.all([owner, ...writers].map(readOwnNotifications))).map(({ length }) => length),
      [2, 0, 1],
    );
    assertDone(await owner.delete(`/api/comments/${top}`));
    assert.deepEqual(await Promise.all([owner, ...writers].map(readOwnNotifications)), [[], [], []]);
  });

  test('stay exact while people answer each other, read and delete at once', async () => {
    const pair = [await someone(), await someone()] as const;
    const photos = await Promise.all(pair.map((owner) => addPhoto(owner)));
    const threads = await Promise.all(
      photos.flatMap(({ id }) =>
        [0, 1, 2, 3].map(async (n) => ({ id, top: await say(pair[n % 2]!, id, 'top') })),
      ),
    );
    await Promise.all([
      ...threads.flatMap(({ id, top }) =>
        [ann, bob].map((who) => who.post(`/api/photos/${id}/comments`, { content: 'x', parent_id: top })),
      ),
      ...pair.flatMap((who) => [
        who.post('/api/notifications/read', { all: true }),
        who.post('/api/notifications/read', { all: true }),
      ]),
      ...threads.slice(2, 6).map(({ top }) => admin.delete(`/api/comments/${top}`)),
      pair[1]
        .delete(`/api/photos/${photos[1]!.id}`)
        .then(() => pair[1].delete(`/api/trash/${photos[1]!.id}`)),
    ]);
    for (const who of [...pair, ann, bob]) {
      const told = await readOwnNotifications(who);
      assert.ok(told.every(({ photo }) => photo?.id !== photos[1]!.id));
    }
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
