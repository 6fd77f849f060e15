/** Tests that admins can moderate photos and comments, and that the log records it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { assertTotalsMatchRows } from '../../support/assert-totals.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addComment, addReport } from '../../support/moderation.ts';
import { addAlbum, addPhoto, type Person, register, registerAdmin } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

describe('moderation', () => {
  let gallery: Gallery;
  let admin: Person;
  let ann: Person;
  let bob: Person;
  let picture: Buffer;

  before(async () => {
    gallery = await startGallery();
    admin = await registerAdmin(gallery, 'admin');
    ann = await register(gallery, 'ann');
    bob = await register(gallery, 'bob');
    picture = await createJpeg({ width: 32, height: 24 });
  });
  after(() => gallery.close());

  const page = async (path: string) => assertRead(await admin.get(`/api/admin/${path}`));
  const ids = async (path: string) => (await page(path)).list.map(({ id }: { id: number }) => id);
  /**
   * Reads log entries of the admin only: attempts by others, such as a registration, appear up to a second
   * later.
   */
  const lastLog = async (which = '') => {
    const { actor, action, target, details } = (await page(`logs?limit=1&actor=admin&${which}`)).list[0];
    return [actor.username, action, target.type, target.id, target.name, details];
  };

  test('lists private photos but not the trash, and finds photos by keyword, owner and reports', async () => {
    const open = await addPhoto(ann, { title: 'Öffentlich' }, picture);
    const hidden = await addPhoto(ann, { title: 'Verborgen', is_public: '0', tags: 'Ärger' }, picture);
    const forMembers = await addPhoto(ann, { title: 'Mitglieder', visibility: 'members' }, picture);
    const trashed = await addPhoto(ann, { title: 'Fort' }, picture);
    const other = await addPhoto(bob, { title: 'Anders' }, picture);
    await addReport(bob, 'photo', trashed.id);
    await addReport(bob, 'photo', open.id);
    await addReport(admin, 'photo', open.id);
    await addReport(admin, 'photo', hidden.id);
    await addReport(bob, 'photo', forMembers.id);
    assertDone(await ann.delete(`/api/photos/${trashed.id}`));

    const { list, pagination } = await page('photos');
    assert.equal(pagination.total, 4);
    assert.deepEqual(
      list.map(({ id, visibility, reports, user }: Record<string, unknown> & { user: Person }) => [
        id,
        visibility,
        reports,
        user.id,
      ]),
      [
        [other.id, 'public', 0, bob.id],
        [forMembers.id, 'members', 1, ann.id],
        [hidden.id, 'private', 1, ann.id],
        [open.id, 'public', 2, ann.id],
      ],
    );
    assert.deepEqual(await ids(`photos?user_id=${bob.id}`), [other.id]);
    assert.deepEqual(await ids('photos?keyword=%C3%A4rger'), [hidden.id]);
    assert.deepEqual(await ids('photos?keyword=mitglied'), [forMembers.id]);
    assert.deepEqual(await ids('photos?reported=1'), [open.id, forMembers.id, hidden.id]);
    assert.deepEqual(await ids('photos?reported=1&keyword=mitglied'), [forMembers.id]);
    assert.deepEqual((await page('photos?reported=1&limit=1&page=2')).pagination, {
      page: 2,
      limit: 1,
      total: 3,
      pages: 3,
    });
    assert.deepEqual(await ids(`photos?reported=1&user_id=${bob.id}`), []);
    assert.deepEqual(await ids('photos?reported=1&keyword=%C3%96FFENT'), [open.id]);
    assert.deepEqual(await ids('photos?reported=1&keyword=anders'), []);
    assertRefused(await admin.get('/api/admin/photos?reported=0&user_id=x'), 400, 400, [
      'reported',
      'user_id',
    ]);

    assertDone(await admin.delete(`/api/admin/photos/${open.id}`));
    assert.deepEqual(await lastLog(), [
      'admin',
      'photo.delete',
      'photo',
      open.id,
      'Öffentlich',
      { reports: 2 },
    ]);
    assert.deepEqual(await ids('photos?reported=1'), [forMembers.id, hidden.id]);
    const trash = assertRead(await ann.get('/api/trash')).list.map(({ id }: { id: number }) => id);
    assert.deepEqual(trash.sort(), [open.id, trashed.id]);
    assertRefused(await admin.delete(`/api/admin/photos/${open.id}`), 404, 20003);
    assertRefused(await bob.delete(`/api/admin/photos/${hidden.id}`), 403, 403);
    await assertTotalsMatchRows(gallery);
  });

  test('lists comments on private photos, too, and finds them by words, author and reports', async () => {
    const hidden = await addPhoto(ann, { title: 'Hidden' }, picture);
    const trashed = await addPhoto(ann, {}, picture);
    const first = await addComment(bob, hidden.id, 'ÜBEL, 100%');
    const second = await addComment(ann, hidden.id, 'Fine');
    const gone = await addComment(bob, trashed.id, 'übel');
    await addReport(ann, 'comment', first);
    await addReport(ann, 'comment', gone);
    const forMembers = await addPhoto(ann, { title: 'For members', visibility: 'members' }, picture);
    const third = await addComment(bob, forMembers.id, 'Third');
    assertDone(await ann.put(`/api/photos/${hidden.id}`, { is_public: 0 }));
    assertDone(await ann.delete(`/api/photos/${trashed.id}`));

    const { list, pagination } = await page('comments');
    assert.deepEqual(
      [pagination.total, list.map(({ id }: { id: number }) => id)],
      [3, [third, second, first]],
    );
    assert.deepEqual(Object.keys(list[2]).sort(), [
      'content',
      'create_time',
      'id',
      'likes',
      'parent_id',
      'photo_id',
      'reply_count',
      'reports',
      'user',
    ]);
    assert.deepEqual([list[2].content, list[2].reports, list[2].user.username], ['ÜBEL, 100%', 1, 'bob']);
    assert.deepEqual(await ids('comments?keyword=%C3%BCbel'), [first]);
    assert.deepEqual(await ids('comments?keyword=%25'), [first]);
    assert.deepEqual(await ids('comments?keyword=_'), []);
    assertWritten(
      await bob
        .put(`/api/comments/${second}`, { content: 'x' })
        .then(() => ann.put(`/api/comments/${second}`, { content: 'Changed to ÜBEL' })),
    );
    assert.deepEqual(await ids('comments?keyword=%C3%BCbel'), [second, first]);
    assert.deepEqual((await page(`comments?user_id=${bob.id}`)).pagination.total, 2);
    assert.deepEqual(await ids('comments?reported=1'), [first]);
    assert.deepEqual((await page('comments?reported=1&keyword=fine')).list, []);

    assertDone(await admin.delete(`/api/admin/comments/${first}`));
    assert.deepEqual(await lastLog(), ['admin', 'comment.delete', 'comment', first, '', { reports: 1 }]);
    assertRefused(await admin.delete(`/api/admin/comments/${first}`), 404, 40001);
    assert.deepEqual(await ids('comments'), [third, second]);
    await assertTotalsMatchRows(gallery);
  });

  test('logs what an admin does to other people’s things by the ordinary endpoints', async () => {
    const photo = await addPhoto(ann, { title: 'Hers' }, picture);
    const album = await addAlbum(ann, 'Her album');
    const words = await addComment(ann, photo.id, 'Her words');
    const share = assertWritten(await ann.post(`/api/photos/${photo.id}/share`, { type: 'link' })).id;
    const target = ['photo', photo.id, 'Hers'];
    const acts: [() => Promise<unknown>, unknown[]][] = [
      [() => admin.put(`/api/photos/${photo.id}`, { is_public: 0 }), ['photo.update', ...target]],
      [
        () => admin.post('/api/photos/batch', { ids: [photo.id], action: 'hide' }),
        ['photo.update', ...target],
      ],
      [
        () => admin.post(`/api/photos/${photo.id}/edit`, { action: 'flip', params: { direction: 'h' } }),
        ['photo.edit', ...target],
      ],
      [() => admin.post(`/api/photos/${photo.id}/revert`, {}), ['photo.edit', ...target]],
      [
        () => admin.put(`/api/comments/${words}`, { content: 'Milder' }),
        ['comment.update', 'comment', words, ''],
      ],
      [() => admin.delete(`/api/comments/${words}`), ['comment.delete', 'comment', words, '']],
      [() => admin.delete(`/api/shares/${share}`), ['share.delete', 'share', share, 'photo']],
      [
        () => admin.post(`/api/albums/${album}/photos`, { ids: [photo.id] }),
        ['album.update', 'album', album, 'Her album'],
      ],
      [
        () => admin.put(`/api/albums/${album}/order`, { ids: [photo.id] }),
        ['album.update', 'album', album, 'Her album'],
      ],
      [
        () => admin.put(`/api/albums/${album}`, { name: 'Renamed' }),
        ['album.update', 'album', album, 'Her album'],
      ],
      [() => admin.delete(`/api/albums/${album}`), ['album.delete', 'album', album, 'Renamed']],
      [() => admin.delete(`/api/photos/${photo.id}`), ['photo.delete', ...target]],
      [() => admin.post(`/api/photos/${photo.id}/restore`), ['photo.restore', ...target]],
    ];
    for (const [act, expected] of acts) {
      // Filters by action, because sign-ins appear in the log up to a second later.
      const those = `action=${expected[0]}`;
      const before = (await page(`logs?${those}`)).pagination.total;
      await act();
      assert.equal((await page(`logs?${those}`)).pagination.total, before + 1, String(expected[0]));
      assert.deepEqual((await lastLog(those)).slice(0, 5), ['admin', ...expected]);
    }
    const entries = async () => {
      const actions = [...new Set(acts.map(([, [action]]) => action))];
      const pages = await Promise.all(actions.map((action) => page(`logs?action=${action}`)));
      return pages.reduce((sum, { pagination }) => sum + pagination.total, 0);
    };
    const before = await entries();
    // Refused actions, actions of owners, and an admin's actions on own things create no entry.
    const own = await addPhoto(admin, {}, picture);
    assertDone(await admin.put(`/api/photos/${own.id}`, { title: 'Mine' }));
    assertDone(await admin.delete(`/api/photos/${own.id}`));
    assertDone(await ann.put(`/api/photos/${photo.id}`, { title: 'Still hers' }));
    assertRefused(await admin.put('/api/photos/999999', { title: 'x' }), 404, 20003);
    assertRefused(await admin.put(`/api/photos/${photo.id}`, { is_public: 1 }), 403, 20004);
    const batch = { ids: [photo.id], action: 'publish' };
    assert.equal(assertWritten(await admin.post('/api/photos/batch', batch)).failed[0].code, 20004);
    assert.equal(await entries(), before);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
