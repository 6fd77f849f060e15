import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, disableAccount, type Person, register } from '../../support/people.ts';

describe('reports', () => {
  let gallery: Gallery;
  let owner: Person;
  let ann: Person;
  let bob: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    ann = await register(gallery, 'ann');
    bob = await register(gallery, 'bob');
  });
  after(() => gallery.close());

  const report = (who: Person, target_type: string, target_id: number, reason = 'spam', content?: string) =>
    who.post('/api/reports', { target_type, target_id, reason, content });
  const rows = () => gallery.deps.db.kysely.selectFrom('reports').selectAll().orderBy('id').execute();

  test('are kept; the same report again changes the open one', async () => {
    const photo = await addPhoto(owner);
    const comment = assertWritten(await bob.post(`/api/photos/${photo.id}/comments`, { content: 'buy!' }));
    const ids = [
      assertWritten(await report(ann, 'photo', photo.id, 'nsfw', 'not for children')).id,
      assertWritten(await report(ann, 'comment', comment.id)).id,
      assertWritten(await report(ann, 'user', bob.id, 'abuse')).id,
      assertWritten(await report(bob, 'photo', photo.id, 'copyright')).id,
    ];
    assert.equal(new Set(ids).size, 4);
    const again = await Promise.all(
      Array.from({ length: 10 }, () => report(ann, 'photo', photo.id, 'copyright', 'mine')),
    );
    for (const answer of again) assert.deepEqual(assertWritten(answer), { id: ids[0] });
    const kept = await rows();
    assert.deepEqual(
      kept.map(({ id, user_id, target_type, target_id, reason, content, status }) => [
        id,
        user_id,
        target_type,
        target_id,
        reason,
        content,
        status,
      ]),
      [
        [ids[0], ann.id, 'photo', photo.id, 'copyright', 'mine', 'open'],
        [ids[1], ann.id, 'comment', comment.id, 'spam', '', 'open'],
        [ids[2], ann.id, 'user', bob.id, 'abuse', '', 'open'],
        [ids[3], bob.id, 'photo', photo.id, 'copyright', '', 'open'],
      ],
    );
  });

  test('are only about what one may see, and well formed', async () => {
    const before = await rows();
    const photo = await addPhoto(owner);
    const comment = assertWritten(await bob.post(`/api/photos/${photo.id}/comments`, { content: 'x' }));
    assertDone(await owner.put(`/api/photos/${photo.id}`, { is_public: 0 }));
    assertRefused(await report(ann, 'photo', photo.id), 403, 20004);
    assertRefused(await report(ann, 'comment', comment.id), 403, 40002);
    assertDone(await owner.delete(`/api/photos/${photo.id}`));
    assertRefused(await report(ann, 'photo', photo.id), 404, 20003);
    assertRefused(await report(ann, 'comment', comment.id), 404, 40001);
    assertRefused(await report(ann, 'comment', 999_999), 404, 40001);
    assertRefused(await report(ann, 'user', 999_999), 404, 50001);
    const gone = await register(gallery, 'gone');
    await disableAccount(gallery, gone);
    assertRefused(await report(ann, 'user', gone.id), 404, 50001);
    assertRefused(await report(ann, 'album', 0, 'dull', 'x'.repeat(1001)), 400, 400, [
      'target_type',
      'target_id',
      'reason',
      'content',
    ]);
    assertRefused(await ann.post('/api/reports', {}), 400, 400, ['target_type', 'target_id', 'reason']);
    assertRefused(await report(asVisitor(gallery), 'user', ann.id), 401, 401);
    assert.deepEqual(await rows(), before);
    const shared = await addPhoto(owner, { visibility: 'members' });
    const { id } = assertWritten(await report(ann, 'photo', shared.id));
    assert.deepEqual(
      (await rows()).slice(before.length).map((row) => row.id),
      [id],
    );
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
