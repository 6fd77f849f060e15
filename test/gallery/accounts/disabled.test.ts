/**
 * Disabling an account hides everything of the account from others at once. Enabling the account brings
 * everything back.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { runVisibilityJobs } from '../../../server/gallery/library/run-visibility-jobs.ts';
import { checkGallery } from '../../../server/tools/check/check.ts';
import { makeScene, mentions, type Scene } from '../../contract/steps/privacy.ts';
import { isFound, places } from '../../contract/steps/privacy-places.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { assertTotalsMatchRows } from '../../support/assert-totals.ts';
import { runLightwell } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, disableAccount, type Person } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { hasNoVisibilityJobs } from '../../support/visibility-jobs.ts';

const others = ['stranger', 'member', 'fan'] as const;

async function assertSound(gallery: Gallery): Promise<void> {
  const findings: unknown[] = [];
  await checkGallery(gallery.deps, {
    isFast: true,
    isRepair: false,
    jobs: 1,
    progress: { begin: () => {}, step: () => {} },
    onFinding: (finding) => findings.push(finding),
  });
  assert.deepEqual(findings, []);
  await assertTotalsMatchRows(gallery);
}

/** Reads all columns that decide who sees what. */
async function sight({ deps }: Gallery) {
  const { kysely } = deps.db;
  return {
    photos: await kysely
      .selectFrom('photos')
      .select(['id', 'visibility', 'level', 'album_id'])
      .orderBy('id')
      .execute(),
    albums: await kysely
      .selectFrom('albums')
      .select(['id', 'visibility', 'level', 'cover_id'])
      .orderBy('id')
      .execute(),
    totals: (await kysely.selectFrom('photo_totals').selectAll().execute())
      .filter(({ n }) => n > 0)
      .map(({ user_id, visibility, n }) => `${user_id} ${visibility} ${n}`)
      .sort(),
    tags: (await kysely.selectFrom('tag_totals').selectAll().execute())
      .map(({ user_id, visibility, name_key, n }) => `${user_id} ${visibility} ${name_key} ${n}`)
      .sort(),
  };
}

describe('a disabled account', () => {
  let scene: Scene;
  let gallery: Gallery;
  let owner: Person;
  let admin: Person;
  /** Rows of the account while it is disabled and the background job has followed. */
  let hidden: Awaited<ReturnType<typeof sight>>;
  let before_: Awaited<ReturnType<typeof sight>>;
  let elsewhere: { photo: number; comment: number };
  let avatar: string;

  before(async () => {
    gallery = await startGallery({}, { isIdle: true });
    scene = await makeScene(gallery);
    ({ owner, admin } = scene.people);
    const { fan } = scene.people;
    // Photos that were private or trashed before the account was disabled stay so.
    await addPhoto(owner, { title: 'private', is_public: '0', tags: 'common' });
    const hidden = await addAlbum(owner, 'Hidden', { isPublic: false });
    await addPhoto(owner, { title: 'in a private album', album_id: String(hidden), tags: 'common' });
    const club = assertWritten(await owner.post('/api/albums', { name: 'Club', visibility: 'members' })).id;
    await addPhoto(owner, { title: 'in an album for members', album_id: String(club), tags: 'common' });
    await addPhoto(owner, { title: 'for members', visibility: 'members', tags: 'common' });
    const { id: trashed } = await addPhoto(owner, { title: 'trashed' });
    assertDone(await owner.delete(`/api/photos/${trashed}`));
    // Adds a nickname, an avatar and comments, which must disappear while the account is disabled.
    assertDone(await owner.put('/api/auth/profile', { nickname: 'Nick of the owner' }).then(asDone));
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(await createJpeg())]), 'face.jpg');
    avatar = assertWritten(await owner.send('POST', '/api/auth/avatar', { body: form })).avatar;
    const { id: photo } = await addPhoto(fan, { title: 'of the fan' });
    const comment = assertWritten(
      await owner.post(`/api/photos/${photo}/comments`, { content: 'kind words' }),
    );
    assertWritten(await owner.post(`/api/photos/${photo}/like`));
    elsewhere = { photo, comment: comment.id };
    assertWritten(await admin.post(`/api/photos/${scene.photo}/share`, { type: 'link' }));
    before_ = await sight(gallery);
  });
  after(() => gallery.close());

  /** Removes the data from a profile response, because only its success matters here. */
  function asDone(answer: Awaited<ReturnType<Person['put']>>) {
    const { data: _, ...body } = answer.body;
    return { ...answer, body };
  }

  const adminsLink = async () => {
    const { list } = assertRead(await admin.get('/api/shares'));
    return new URL(list[0].url).pathname;
  };

  /**
   * Asserts that nothing of the account is visible. `isLate` means that stored totals have not been updated
   * yet.
   */
  async function assertGone(isLate: boolean): Promise<void> {
    const wrong: string[] = [];
    for (const role of others) {
      for (const place of places) {
        // Skips tag lists, because they come from stored totals, which may be late.
        if (isLate && place.endpoint === '/api/tags') continue;
        const path = place.path(scene);
        const answer = await scene.people[role].get(path);
        assert.ok(answer.status < 500, `${path}: ${answer.status}`);
        const isComment = path.includes('/comments');
        if (isFound(place, scene, answer) && !isComment) wrong.push(`${role} finds it in ${path}`);
        if (answer.bytes.includes('Nick of the owner')) wrong.push(`${role} reads the name in ${path}`);
        const { list, pagination } = answer.body.data ?? {};
        const isExact = !list || pagination.total === list.length || path.includes('/api/notifications');
        if (!isLate && !isExact) wrong.push(`${role} is told of ${pagination.total} in ${path}`);
      }
      const who = scene.people[role];
      assertRefused(await who.get(`/api/users/${owner.id}`), 404, 50001);
      assertRefused(await who.get(`/api/users/owner`), 404, 50001);
      assert.equal((await who.get(avatar)).status, 404);
      const said = await who.get(`/api/photos/${elsewhere.photo}/comments`);
      const [comment] = assertRead(said).list;
      assert.equal(comment.content, 'kind words');
      assert.deepEqual(comment.user, { id: owner.id, username: '', nickname: '', avatar: '' });
      assert.ok(!mentions(scene, await who.get(await adminsLink())));
      assert.equal((await who.get(await adminsLink())).status, 404);
    }
    const { fan } = scene.people;
    const told = await fan.get('/api/notifications');
    assert.ok(assertRead(told).list.length > 0);
    for (const { actor, photo } of told.body.data.list) {
      assert.deepEqual(actor, { id: owner.id, username: '', nickname: '', avatar: '' });
      assert.ok(photo === null || photo.id === elsewhere.photo);
    }
    assert.deepEqual(assertRead(await fan.get(`/api/users/${fan.id}/following`)).list, []);
    for (const [path, body] of [
      [`/api/photos/${scene.photo}/comments`, { content: 'Still there?' }],
      [`/api/photos/${scene.photo}/share`, { type: 'link' }],
    ] as const) {
      assertRefused(await fan.post(path, body), 403, 20004);
      assertRefused(await scene.people.member.post(`/api/photos/${scene.photo}/like`), 403, 20004);
    }
    assertRefused(await owner.get('/api/auth/user'), 401, 10006);
  }

  async function assertAdminSeesAll(): Promise<void> {
    const detail = assertRead(await admin.get(`/api/photos/${scene.photo}`));
    for (const path of [detail.path, detail.preview, detail.thumb]) {
      assert.equal((await admin.get(path)).status, 200, path);
    }
    for (const query of ['', `&user_id=${owner.id}`, '&tag=common']) {
      const answer = await admin.get(`/api/photos?limit=100${query}`);
      assert.equal(answer.status, 200);
      assert.ok(!mentions(scene, answer), `an admin's lists show what every member sees: ${query}`);
    }
    assert.ok(mentions(scene, await admin.get('/api/admin/photos?limit=100')));
    assert.ok(mentions(scene, await admin.get(`/api/albums/${scene.album}/photos`)));
    assert.equal(assertRead(await admin.get(`/api/users/${owner.id}`)).username, 'owner');
    assert.equal((await admin.get(avatar)).status, 200);
    const users = assertRead(await admin.get('/api/admin/users?status=0')).list;
    assert.deepEqual(
      users.map(({ id }: { id: number }) => id),
      [owner.id],
    );
  }

  test('is hidden from others at once, before the background job has followed', async () => {
    await disableAccount(gallery, owner);
    assert.equal(await hasNoVisibilityJobs(gallery), false);
    await assertGone(true);
    await assertAdminSeesAll();
  });

  test('stays hidden when lists, totals and search have followed', async () => {
    assert.equal(await runVisibilityJobs(gallery.deps), true);
    assert.equal(await hasNoVisibilityJobs(gallery), true);
    await assertGone(false);
    await assertAdminSeesAll();
    await assertSound(gallery);
    hidden = await sight(gallery);
    assert.ok(hidden.albums.every(({ visibility }) => visibility === 1));
  });

  test('shows no photo that an admin arranges in its albums', async () => {
    const { photo, album, outer } = scene;
    for (const id of [outer, album]) {
      assertWritten(await admin.put(`/api/albums/${id}`, { is_public: 1 }));
      assertWritten(await admin.put(`/api/albums/${id}`, { visibility: 'members' }));
      assertRefused(await admin.put(`/api/albums/${id}`, { is_public: 1 }), 403, 30002);
    }
    assertDone(await admin.put(`/api/photos/${photo}`, { is_public: 1 }));
    assertDone(await admin.put(`/api/photos/${photo}`, { is_public: 0 }));
    assertRefused(await admin.put(`/api/photos/${photo}`, { visibility: 'members' }), 403, 20004);
    assertRefused(await admin.put(`/api/photos/${photo}`, { is_public: 1 }), 403, 20004);
    assertDone(await admin.delete(`/api/photos/${photo}`));
    assertDone(await admin.post(`/api/photos/${photo}/restore`));
    await runVisibilityJobs(gallery.deps);
    await assertGone(false);
    await assertSound(gallery);
  });

  test('is back as it was when it is enabled', async () => {
    assertWritten(await admin.put(`/api/admin/users/${owner.id}`, { status: 1 }));
    await runVisibilityJobs(gallery.deps);
    // An admin has narrowed these levels meanwhile. Only their owner can widen them.
    const { photo, album, outer } = scene;
    for (const id of [outer, album]) assertWritten(await owner.put(`/api/albums/${id}`, { is_public: 1 }));
    assertDone(await owner.put(`/api/photos/${photo}`, { is_public: 1 }));
    assert.deepEqual(await sight(gallery), before_);
    await assertSound(gallery);
    const anybody = asVisitor(gallery);
    for (const place of places.filter(({ shows }) => shows('public', 'stranger'))) {
      // Checks only places that an anonymous visitor sees; other tests check share links and the trash.
      const path = place.path(scene);
      assert.ok(isFound(place, scene, await anybody.get(path)), path);
    }
    assert.equal((await anybody.get(avatar)).status, 200);
    assert.equal((await anybody.get(await adminsLink())).status, 200);
    const [comment] = assertRead(await anybody.get(`/api/photos/${elsewhere.photo}/comments`)).list;
    assert.equal(comment.user.nickname, 'Nick of the owner');
  });

  test('is disabled the same way by a report and by the command line', async () => {
    const report = { target_type: 'user', target_id: owner.id, reason: 'spam' };
    const { id } = assertWritten(await scene.people.member.post('/api/reports', report));
    assertWritten(await admin.post(`/api/admin/reports/${id}/handle`, { action: 'disable_user' }));
    await runVisibilityJobs(gallery.deps);
    await assertGone(false);
    assert.equal((await runLightwell(gallery, ['user', 'enable', 'owner'])).code, 0);
    assert.equal(await hasNoVisibilityJobs(gallery), true);
    assert.deepEqual(await sight(gallery), before_);
    assert.equal((await runLightwell(gallery, ['user', 'disable', 'owner'])).code, 0);
    assert.equal(await hasNoVisibilityJobs(gallery), true);
    assert.deepEqual(await sight(gallery), hidden);
    assertRefused(await asVisitor(gallery).get(`/api/users/${owner.id}`), 404, 50001);
    assertRefused(await owner.get('/api/auth/user'), 401, 10006);
    assert.equal((await runLightwell(gallery, ['user', 'enable', 'owner'])).code, 0);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
