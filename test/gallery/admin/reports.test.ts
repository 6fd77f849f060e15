/** Tests that admins see each report with its target, and can handle it once. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { assertTotalsMatchRows } from '../../support/assert-totals.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addComment, addReport } from '../../support/moderation.ts';
import { addPhoto, type Person, register, registerAdmin } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { waitForVisibilityJobs } from '../../support/visibility-jobs.ts';

/**
 * Filters by the admin: attempts by others, such as a registration, appear in the log up to a second later.
 */
const byAdmin = 'actor=admin';

describe('reports handled by admins', () => {
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
  const handle = (id: number, body: object, who = admin) => who.post(`/api/admin/reports/${id}/handle`, body);

  test('reports are shown with what they are about, and what is gone as gone', async () => {
    const photo = await addPhoto(ann, { title: 'Seen' }, picture);
    const words = await addComment(bob, photo.id, 'Sunglasses!');
    const about = [
      await addReport(bob, 'photo', photo.id),
      await addReport(ann, 'comment', words),
      await addReport(ann, 'user', bob.id),
      await addReport(admin, 'user', bob.id),
    ];
    assert.equal((await admin.get('/api/auth/user')).body.data.open_reports, 4);
    assert.equal((await ann.get('/api/auth/user')).body.data.open_reports, 0);
    const open = (await page('reports?status=open&limit=4')).list;
    const shown = open.map((one: { target: { title: string; thumb: string; user: Person } }) => [
      one.target.title,
      one.target.thumb.startsWith('/storage/'),
      one.target.user.id,
    ]);
    assert.deepEqual(shown, [
      ['bob', false, bob.id],
      ['bob', false, bob.id],
      ['Sunglasses!', false, bob.id],
      ['Seen', true, ann.id],
    ]);
    const { create_time, ...last } = open[0];
    assert.match(create_time, /^\d{4}-/);
    assert.deepEqual(
      { ...last, target: null },
      {
        id: about[3],
        target_type: 'user',
        target_id: bob.id,
        target: null,
        reason: 'abuse',
        content: 'Look',
        user: { id: admin.id, username: 'admin', nickname: '', avatar: '' },
        open_reports: 2,
        status: 'open',
        action: '',
        note: '',
        handler: '',
        handled_time: '',
      },
    );
    // The owner deletes the photo: the report stays open, and shows nothing from the trash.
    assertDone(await ann.delete(`/api/photos/${photo.id}`));
    const now = (await page('reports?status=open&limit=4')).list;
    assert.deepEqual(
      now.map(({ target }: { target: object | null }) => target === null),
      [false, false, true, true],
    );
    assert.equal((await page('reports')).pagination.total, 4);
    assertRefused(await admin.get('/api/admin/reports?status=closed'), 400, 400, ['status']);
    assertDone(await ann.post(`/api/photos/${photo.id}/restore`));
  });

  test('are all handled, once, when one about the same thing is dismissed, which changes nothing', async () => {
    const photo = await addPhoto(ann, { title: 'Kept' }, picture);
    const [first, second] = [
      await addReport(bob, 'photo', photo.id),
      await addReport(admin, 'photo', photo.id),
    ];
    const answers = await Promise.all([
      handle(first, { action: 'dismiss', note: 'Nothing wrong' }),
      handle(second, { action: 'dismiss', note: 'Nothing wrong' }),
    ]);
    const [done, late] = answers.sort((one, other) => one.status - other.status);
    assert.deepEqual(assertWritten(done!).reports, [first, second]);
    assertRefused(late!, 400, 400, ['id']);
    const [shown] = (await page('reports?status=handled&limit=1')).list;
    assert.deepEqual(
      [shown.id, shown.status, shown.action, shown.note, shown.handler, shown.open_reports],
      [second, 'handled', 'dismiss', 'Nothing wrong', 'admin', 0],
    );
    assert.match(shown.handled_time, /^\d{4}-/);
    assert.equal((await ann.get(`/api/photos/${photo.id}`)).status, 200);
    // A new report about a target with a handled report is an open report again.
    const third = await addReport(bob, 'photo', photo.id);
    assert.ok(third > second);
    assertRefused(await handle(999_999, { action: 'dismiss' }), 404, 60001);
    assertRefused(await handle(third, { action: 'burn', note: 'x'.repeat(501) }), 400, 400, [
      'action',
      'note',
    ]);
    assertRefused(await handle(third, { action: 'dismiss' }, ann), 403, 403);
    assert.equal((await page('reports?status=open')).list[0].id, third);
  });

  test('move a photo to the trash, delete a comment, or delete an account with everything in it', async () => {
    const photo = await addPhoto(ann, { title: 'Bad' }, picture);
    const words = await addComment(bob, photo.id, 'Worse');
    const eve = await register(gallery, 'eve');
    const byEve = await addPhoto(eve, {}, picture);
    const onComment = await addReport(ann, 'comment', words);
    const onPhoto = await addReport(bob, 'photo', photo.id);
    const onEve = await addReport(bob, 'user', eve.id);

    assert.deepEqual(assertWritten(await handle(onComment, { action: 'delete' })).reports, [onComment]);
    assertRefused(await bob.get(`/api/comments/${words}/replies`), 404, 40001);
    assertWritten(await handle(onPhoto, { action: 'delete', note: 'Advertising' }));
    assertRefused(await admin.get(`/api/photos/${photo.id}`), 404, 20003);
    const log = (await page(`logs?limit=2&${byAdmin}`)).list;
    assert.deepEqual(
      log.map(({ action, details }: { action: string; details: object }) => [action, details]),
      [
        ['report.handle', { action: 'delete', target_type: 'photo', target_id: photo.id, reports: 1 }],
        ['photo.delete', {}],
      ],
    );
    assertWritten(await handle(onEve, { action: 'delete' }));
    assertRefused(await eve.get('/api/auth/user'), 401, 10006);
    await eventually(async () => {
      const { kysely } = gallery.deps.db;
      assert.deepEqual(await kysely.selectFrom('users').select('id').where('id', '=', eve.id).execute(), []);
    }, 60_000);
    assertRefused(await admin.get(`/api/photos/${byEve.id}`), 404, 20003);
    // A report about a photo that is already deleted can still be handled.
    const again = await addPhoto(ann, {}, picture);
    const late = await addReport(bob, 'photo', again.id);
    assertDone(await ann.delete(`/api/photos/${again.id}`));
    assertWritten(await handle(late, { action: 'delete' }));
    await assertTotalsMatchRows(gallery);
  });

  test('disable the author, the owner or the user, but never the last admin', async () => {
    const photo = await addPhoto(admin, { title: 'Of the admin' }, picture);
    const onAdmin = await addReport(bob, 'photo', photo.id);
    const handledBefore = (await page('logs?action=report.handle')).pagination.total;
    assertRefused(await handle(onAdmin, { action: 'disable_user' }), 409, 60002);
    assert.equal((await page('reports?status=open')).list[0].id, onAdmin);
    assert.equal((await page('logs?action=report.handle')).pagination.total, handledBefore);
    const onSelf = await addReport(bob, 'user', admin.id);
    assertRefused(await handle(onSelf, { action: 'delete' }), 409, 60002);
    assert.equal((await page('reports?status=open')).list[0].id, onSelf);

    const mallory = await register(gallery, 'mallory');
    const words = await addComment(mallory, photo.id, 'Rude');
    const onWords = await addReport(bob, 'comment', words);
    assertWritten(await handle(onWords, { action: 'disable_user', note: 'Third time' }));
    assertRefused(await mallory.get('/api/auth/user'), 401, 10006);
    assert.equal((await page('users?keyword=mallory')).list[0].status, 0);
    const [handled, disabled] = (await page(`logs?limit=2&${byAdmin}`)).list;
    assert.deepEqual([handled.action, disabled.action], ['report.handle', 'user.update']);
    assert.deepEqual(disabled.details, { status: 0 });

    const ghost = await addComment(ann, photo.id, 'Soon gone');
    const onGhost = await addReport(bob, 'comment', ghost);
    assertDone(await ann.delete(`/api/comments/${ghost}`));
    assertRefused(await handle(onGhost, { action: 'disable_user' }), 400, 400, ['action']);
    assertWritten(await handle(onGhost, { action: 'dismiss' }));
    // Waits for the background job that hides the photos of Mallory's account.
    await waitForVisibilityJobs(gallery);
    await assertTotalsMatchRows(gallery);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
