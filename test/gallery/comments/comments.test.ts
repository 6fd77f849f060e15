import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { setPhoto } from '../../support/photo-counters.ts';

const fields = [
  'id',
  'photo_id',
  'parent_id',
  'content',
  'likes',
  'is_liked',
  'reply_count',
  'user',
  'create_time',
  'replies',
];

interface Shown {
  id: number;
  content: string;
  replies: Shown[];
  reply_count: number;
}

describe('comments', () => {
  let gallery: Gallery;
  let owner: Person;
  let ann: Person;
  let bob: Person;
  let admin: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    ann = await register(gallery, 'ann');
    bob = await register(gallery, 'bob');
    admin = await registerAdmin(gallery, 'admin');
  });
  after(() => gallery.close());

  const say = async (who: Person, photo: number, content: string, parent_id?: number): Promise<Shown> =>
    assertWritten(await who.post(`/api/photos/${photo}/comments`, { content, parent_id }));
  const list = async (photo: number, query = '', who = asVisitor(gallery)) =>
    assertRead(await who.get(`/api/photos/${photo}/comments${query}`));
  const contents = (comments: Shown[]) => comments.map(({ content }) => content);
  /** Asserts that the photo detail and the rows have the expected number of comments. */
  async function assertCount(photo: number, expected: number) {
    const { comments } = assertRead(await owner.get(`/api/photos/${photo}`));
    const rows = await gallery.deps.db.kysely
      .selectFrom('comments')
      .select('id')
      .where('photo_id', '=', photo)
      .execute();
    assert.deepEqual([comments, rows.length], [expected, expected]);
  }

  test('are shown to everybody, the newest first, with exactly the fields of a comment', async () => {
    const { id } = await addPhoto(owner, { title: 'talked about', tags: 'talk' });
    const first = assertWritten(
      await ann.post(`/api/photos/${id}/comments`, { content: '  What a\nlight! 光 ' }),
    );
    assert.deepEqual(Object.keys(first), fields);
    assert.deepEqual(first.user, { id: ann.id, username: 'ann', nickname: '', avatar: '' });
    assert.match(first.create_time, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    const { content, parent_id, photo_id, likes, is_liked, reply_count, replies } = first;
    assert.deepEqual(
      [content, parent_id, photo_id, likes, is_liked, reply_count, replies],
      ['What a\nlight! 光', null, id, 0, false, 0, []],
    );
    await say(bob, id, 'second');
    const read = await list(id);
    assert.deepEqual(read.pagination, { page: 1, limit: 20, total: 2, pages: 1 });
    assert.deepEqual(contents(read.list), ['second', 'What a\nlight! 光']);
    assert.deepEqual(read.list[1], first);
    assert.equal(assertRead(await asVisitor(gallery).get('/api/photos?tag=talk')).list[0].comments, 2);
    await assertCount(id, 2);
  });

  test('have one level of replies: the first three in the list, all of them below the comment', async () => {
    const { id } = await addPhoto(owner, { title: 'replies' });
    const [top, other, quiet] = [
      await say(ann, id, 'top'),
      await say(bob, id, 'other'),
      await say(bob, id, 'quiet'),
    ];
    const replies: Shown[] = [];
    for (let n = 1; n <= 5; n++) replies.push(await say(bob, id, `reply ${n}`, top.id));
    const nested = await say(ann, id, 'answer to a reply', replies[4]!.id);
    assert.equal((nested as unknown as { parent_id: number }).parent_id, top.id);
    await say(ann, id, 'one', other.id);

    const read = await list(id);
    assert.equal(read.pagination.total, 3);
    assert.deepEqual(contents(read.list), ['quiet', 'other', 'top']);
    assert.deepEqual(
      read.list.map((one: Shown) => contents(one.replies)),
      [[], ['one'], ['reply 1', 'reply 2', 'reply 3']],
    );
    assert.deepEqual(
      read.list.map((one: Shown) => one.reply_count),
      [0, 1, 6],
    );
    assert.deepEqual(contents((await list(id, '?limit=1&page=3')).list[0].replies), [
      'reply 1',
      'reply 2',
      'reply 3',
    ]);

    const below = assertRead(await asVisitor(gallery).get(`/api/comments/${top.id}/replies?limit=4&page=2`));
    assert.deepEqual(below.pagination, { page: 2, limit: 4, total: 6, pages: 2 });
    assert.deepEqual(contents(below.list), ['reply 5', 'answer to a reply']);
    assert.deepEqual(Object.keys(below.list[0]), fields.slice(0, -1));
    const none = assertRead(await asVisitor(gallery).get(`/api/comments/${quiet.id}/replies`));
    assert.deepEqual([none.list, none.pagination.total], [[], 0]);
    await assertCount(id, 10);
  });

  test('are changed by author and admin, deleted by the owner of the photo too; counts follow', async () => {
    const { id } = await addPhoto(owner, { title: 'changed' });
    const top = await say(ann, id, 'tpo');
    const reply = await say(bob, id, 'reply', top.id);
    await say(bob, id, 'reply 2', top.id);
    for (const who of [bob, owner]) {
      assertRefused(await who.put(`/api/comments/${top.id}`, { content: 'not mine' }), 403, 40002);
    }
    const changed = assertWritten(await ann.put(`/api/comments/${top.id}`, { content: ' top ' }));
    assert.deepEqual([changed.content, contents(changed.replies)], ['top', ['reply', 'reply 2']]);
    assert.equal(
      assertWritten(await admin.put(`/api/comments/${top.id}`, { content: 'Top' })).content,
      'Top',
    );

    assertRefused(await ann.delete(`/api/comments/${reply.id}`), 403, 40002);
    assertDone(await bob.delete(`/api/comments/${reply.id}`));
    assertRefused(await bob.delete(`/api/comments/${reply.id}`), 404, 40001);
    const [left] = (await list(id)).list;
    assert.deepEqual([left.reply_count, contents(left.replies)], [1, ['reply 2']]);
    await assertCount(id, 2);

    const other = await say(ann, id, 'other');
    assertDone(await admin.delete(`/api/comments/${other.id}`));
    assertDone(await owner.delete(`/api/comments/${top.id}`));
    assert.deepEqual((await list(id)).pagination, { page: 1, limit: 20, total: 0, pages: 0 });
    assertRefused(await asVisitor(gallery).get(`/api/comments/${top.id}/replies`), 404, 40001);
    await assertCount(id, 0);
  });

  test('are liked by each once', async () => {
    const { id } = await addPhoto(owner, { title: 'liked' });
    const comment = await say(ann, id, 'like me');
    const like = async (who: Person) => assertWritten(await who.post(`/api/comments/${comment.id}/like`));
    assert.deepEqual(await like(bob), { is_liked: true, likes: 1 });
    assert.deepEqual(await like(ann), { is_liked: true, likes: 2 });
    assert.deepEqual(await like(ann), { is_liked: false, likes: 1 });
    const seenBy = async (who: Person) => {
      const [{ likes, is_liked }] = (await list(id, '', who)).list;
      return [likes, is_liked];
    };
    assert.deepEqual(await seenBy(bob), [1, true]);
    assert.deepEqual(await seenBy(ann), [1, false]);
    assert.deepEqual(await seenBy(asVisitor(gallery)), [1, false]);
    await Promise.all(Array.from({ length: 20 }, () => like(bob)));
    assert.deepEqual(await seenBy(bob), [1, true]);
  });

  test('cannot be read by any path when the photo is hidden', async () => {
    const { id } = await addPhoto(owner, { title: 'hidden later' });
    const secret = 'whispered below a photo';
    const top = await say(ann, id, secret);
    const reply = await say(bob, id, `${secret}, too`, top.id);
    const everywhere = async (who: Person) => [
      await who.get(`/api/photos/${id}/comments`),
      await who.get(`/api/comments/${top.id}/replies`),
      await who.get(`/api/comments/${reply.id}/replies`),
      // The author may still change an own comment here: see test/contract/own-texts.test.ts.
      ...(who.token
        ? [
            await who.put(`/api/comments/${who === ann ? reply.id : top.id}`, { content: 'x' }),
            await who.post(`/api/comments/${top.id}/like`),
            await who.delete(`/api/comments/${who === bob ? top.id : reply.id}`),
            await who.post(`/api/photos/${id}/comments`, { content: 'x', parent_id: top.id }),
          ]
        : []),
    ];

    assertDone(await owner.put(`/api/photos/${id}`, { is_public: 0 }));
    for (const who of [asVisitor(gallery), ann, bob]) {
      for (const answer of await everywhere(who)) {
        assert.ok(['20004', '40002'].includes(String(answer.body.code)), answer.bytes.toString());
        assert.equal(answer.status, 403);
        assert.doesNotMatch(answer.bytes.toString(), /whispered/);
      }
    }
    assert.equal((await list(id, '', owner)).list[0].content, secret);
    assert.equal((await list(id, '', admin)).list[0].replies.length, 1);

    assertDone(await owner.delete(`/api/photos/${id}`));
    for (const who of [asVisitor(gallery), ann, owner, admin]) {
      for (const answer of await everywhere(who)) {
        assert.ok(['20003', '40001'].includes(String(answer.body.code)), answer.bytes.toString());
        assert.equal(answer.status, 404);
        assert.doesNotMatch(answer.bytes.toString(), /whispered/);
      }
    }
    assertDone(await owner.post(`/api/photos/${id}/restore`));
    assertDone(await owner.put(`/api/photos/${id}`, { is_public: 1 }));
    assert.equal((await list(id)).list[0].replies[0].id, reply.id);
    await assertCount(id, 2);
    assertDone(await owner.put(`/api/photos/${id}`, { visibility: 'members' }));
    const refused = await everywhere(asVisitor(gallery));
    assert.equal(refused.map(({ body }) => body.code).join(), '20004,40002,40002');
    await say(bob, id, 'another', top.id);
    assert.equal((await list(id, '', bob)).list[0].reply_count, 2);
  });

  test('change nothing when the input is invalid', async () => {
    const { id } = await addPhoto(owner, { title: 'bad input' });
    const elsewhere = await say(ann, (await addPhoto(owner)).id, 'elsewhere');
    const path = `/api/photos/${id}/comments`;
    for (const content of ['', ' \n\t', 'x'.repeat(1001), 7, null, 'a\u0000b', undefined]) {
      assertRefused(await ann.post(path, { content }), 400, 400, ['content']);
    }
    assertRefused(await ann.post(path, { parent_id: -1 }), 400, 400, ['content', 'parent_id']);
    for (const parent_id of [elsewhere.id, 999_999]) {
      assertRefused(await ann.post(path, { content: 'x', parent_id }), 404, 40001);
    }
    assertRefused(await asVisitor(gallery).post(path, { content: 'x' }), 401, 401);
    assertRefused(await ann.post('/api/photos/999999/comments', { content: 'x' }), 404, 20003);
    assertRefused(await asVisitor(gallery).get('/api/photos/999999/comments'), 404, 20003);
    assertRefused(await asVisitor(gallery).get(`${path}?page=0`), 400, 400, ['page']);
    assertRefused(await ann.put(`/api/comments/${elsewhere.id}`, { content: ' ' }), 400, 400, ['content']);
    assertRefused(await ann.post('/api/comments/x/like'), 400, 400, ['id']);
    assertRefused(await ann.post('/api/comments/999999/like'), 404, 40001);
    await assertCount(id, 0);
    assert.equal((await say(ann, id, '𝕏'.repeat(1000), 0)).content.length, 2000);
  });

  test('far down in a long list are found too', async () => {
    const { id } = await addPhoto(owner, { title: 'long' });
    const { kysely } = gallery.deps.db;
    const rows = Array.from({ length: 700 }, (_, n) => n);
    for (const first of [0, 700, 1400]) {
      const values = rows.map((n) => ({
        photo_id: id,
        parent_id: null,
        user_id: ann.id,
        likes: 0,
        reply_count: 0,
        create_time: 1_700_000_000,
        content: `n${first + n}`,
      }));
      await kysely.insertInto('comments').values(values).execute();
    }
    await setPhoto(kysely, id, { comments: 2100, comment_threads: 2100 });
    for (const [page, newest, length] of [
      [1, 2099, 100],
      [20, 199, 100],
      [21, 99, 100],
      [22, undefined, 0],
    ] as const) {
      const read = await list(id, `?limit=500&page=${page}`);
      assert.deepEqual(read.pagination, { page, limit: 100, total: 2100, pages: 21 });
      assert.deepEqual(
        contents(read.list),
        Array.from({ length }, (_, n) => `n${newest! - n}`),
      );
    }
    assertDone(await owner.put(`/api/photos/${id}`, { is_public: 0 }));
    assertRefused(await ann.get(`/api/photos/${id}/comments?page=105`), 403, 20004);
  });

  test('count all of many at once, and deleting while others answer leaves nothing', async () => {
    const { id } = await addPhoto(owner, { title: 'busy' });
    const people = [ann, bob, owner, admin];
    const top = await say(ann, id, 'top');
    await Promise.all(
      Array.from({ length: 24 }, (_, n) => say(people[n % 4]!, id, `n${n}`, n % 2 ? top.id : undefined)),
    );
    const before = await list(id);
    assert.equal(before.pagination.total, 13);
    assert.equal(before.list.at(-1).reply_count, 12);
    await assertCount(id, 25);

    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        n === 8
          ? ann.delete(`/api/comments/${top.id}`)
          : people[n % 4]!.post(`/api/photos/${id}/comments`, { content: 'late', parent_id: top.id }),
      ),
    );
    for (const { status } of answers) assert.ok(status === 200 || status === 404);
    assert.equal((await list(id)).pagination.total, 12);
    await assertCount(id, 12);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
