/**
 * Tests that `GET /api/auth/export` returns all data of the user as a ZIP with the format of `lightwell
 * export` and `import`.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { objectName } from '../../../server/platform/storage/keys.ts';
import { testRights } from '../../contract/steps/rights-walk.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { runLightwell } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { type ImportFolders, makeFolders, readAlbums, readPhotos } from '../../support/import-folders.ts';
import { addAlbum, addPhoto, asVisitor, logIn, type Person, register } from '../../support/people.ts';
import { createAnimation, createJpeg, createJpegWithExif } from '../../support/pictures.ts';
import { unzip } from '../../support/zip.ts';

testRights([
  {
    endpoint: 'GET /api/auth/export',
    codes: [401, 0, 0, 10006, 0],
    ask: (who) => who.get('/api/auth/export'),
  },
]);

let gallery: Gallery;
let folders: ImportFolders;
let owner: Person;
let lost: number;
let ids: { shown: number; hidden: number; dance: number };

before(async () => {
  gallery = await startGallery();
  folders = await makeFolders();
  owner = await register(gallery, 'paula');
  const outer = await addAlbum(owner, 'Trips: a/b');
  const inner = await addAlbum(owner, 'missing.txt', { isPublic: false });
  const camera = await addPhoto(
    owner,
    { title: 'camera', tags: 'snow, Über', album_id: String(outer) },
    await createJpegWithExif(),
  );
  await addPhoto(owner, { title: 'dance', album_id: String(inner), is_public: '0' }, await createAnimation());
  assertWritten(await owner.put(`/api/albums/${outer}`, { visibility: 'members' }));
  ({ id: lost } = await addPhoto(
    owner,
    { title: 'lost', description: 'So\ncold', visibility: 'members' },
    await createJpeg({ width: 77 }),
  ));
  const edit = { action: 'crop', params: { x: 10, y: 10, width: 100, height: 80 } };
  assertWritten(await owner.post(`/api/photos/${camera.id}/edit`, edit));
  const { id: trashed } = await addPhoto(owner, { title: 'trashed' }, await createJpeg({ width: 99 }));
  await owner.delete(`/api/photos/${trashed}`);
  const stranger = await register(gallery, 'stranger');
  await addPhoto(stranger, { title: 'of another' });
  await liveAmongOthers(stranger);
});
after(async () => {
  await gallery.close();
  await folders.remove();
});

/**
 * Fills the owner's profile, and lets the owner like and comment on photos: a public one, one hidden later,
 * and an own one.
 */
async function liveAmongOthers(stranger: Person): Promise<void> {
  const shown = await addPhoto(stranger, { title: 'Shown' }, await createJpeg({ width: 81 }));
  const hidden = await addPhoto(stranger, { title: 'secret' }, await createJpeg({ width: 82 }));
  const dance = (await readPhotos(owner)).find(({ title }) => title === 'dance')!.id;
  for (const { id } of [shown, hidden]) {
    assertWritten(await owner.post(`/api/photos/${id}/like`));
    assertWritten(await owner.post(`/api/photos/${id}/favorite`));
    assertWritten(await owner.post(`/api/photos/${id}/comments`, { content: `Mine "${id}"` }));
  }
  assertWritten(await owner.post(`/api/photos/${dance}/favorite`));
  assertDone(await stranger.put(`/api/photos/${hidden.id}`, { is_public: 0 }));
  const gone = await register(gallery, 'gone');
  assertWritten(await gone.post(`/api/photos/${lost}/comments`, { content: 'From far' }));
  for (const { id } of [stranger, gone]) assertWritten(await owner.post(`/api/users/${id}/follow`));
  await gallery.deps.db.kysely.updateTable('users').set({ status: 0 }).where('id', '=', gone.id).execute();
  assertWritten(await owner.post(`/api/photos/${dance}/share`, { type: 'link', password: 'hidden-word' }));
  const profile = {
    nickname: 'Paula P.',
    bio: 'So\nlong',
    gender: 1,
    birthday: '1990-02-03',
    mobile: '+1 2',
  };
  assertWritten(await owner.put('/api/auth/profile', profile));
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await createJpeg({ colour: '#f00' }))]), 'me.jpg');
  assertWritten(await owner.send('POST', '/api/auth/avatar', { body: form }));
  ids = { shown: shown.id, hidden: hidden.id, dance };
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of several shapes
const readJson = (files: Map<string, Buffer>, name: string): any => JSON.parse(files.get(name)!.toString());

async function exportAccount(who = owner): Promise<Map<string, Buffer>> {
  const answer = await who.get('/api/auth/export');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/zip');
  assert.match(answer.headers.get('content-disposition')!, /filename="?paula\.zip"?/);
  return (await unzip(answer.bytes)).files;
}

const facts = async (who: Person) =>
  (await readPhotos(who))
    .map(({ title, description, tags, visibility, effective_visibility, width, height, taken_time }) =>
      JSON.stringify({
        ...{ title, description, tags, visibility, effective_visibility },
        ...{ width, height, taken_time },
      }),
    )
    .sort();

test('import reads it back: another account has the same afterwards', async () => {
  const files = await exportAccount();
  const names = [...files.keys()];
  assert.ok(names.includes('Trips_ a_b/album.json'), names.join());
  const written = Object.fromEntries([...files].filter(([name]) => !name.endsWith('/')));
  const dir = await folders.folder('taken', written);
  const heir = await register(gallery, 'heir');
  const { code, out, err } = await runLightwell(gallery, ['import', dir, '--user', 'heir']);
  assert.equal(code, 0, out + err);
  assert.deepEqual(await facts(heir), await facts(owner));
  const albums = async (who: Person) =>
    (await readAlbums(who)).map(({ name, photo_count, visibility }) => ({ name, photo_count, visibility }));
  assert.deepEqual(await albums(heir), await albums(owner));
  assert.deepEqual((await albums(heir)).map(({ visibility }) => visibility).sort(), ['members', 'private']);
});

test('import reads an export of an earlier version, whose levels are public and private', async () => {
  const files = [...(await exportAccount())].filter(([name]) => !name.endsWith('/'));
  const withoutLevels = files.map(([name, content]) => {
    if (!name.endsWith('.json')) return [name, content] as const;
    const { visibility: _, ...rest } = JSON.parse(content.toString());
    return [name, Buffer.from(JSON.stringify(rest))] as const;
  });
  const dir = await folders.folder('earlier', Object.fromEntries(withoutLevels));
  const late = await register(gallery, 'late');
  const { code, out, err } = await runLightwell(gallery, ['import', dir, '--user', 'late']);
  assert.equal(code, 0, out + err);
  const photos = (await readPhotos(late)).map(({ title, visibility }) => `${title} is ${visibility}`);
  assert.deepEqual(photos.sort(), ['camera is public', 'dance is private', 'lost is private']);
  const albums = (await readAlbums(late)).map(({ name, visibility }) => `${name} is ${visibility}`);
  assert.deepEqual(albums.sort(), ['Trips: a/b is private', 'missing.txt is private']);
});

test('has the files that the command line writes, and nothing of others or of the account', async () => {
  const files = await exportAccount();
  const whole = JSON.parse(files.get('lightwell.json')!.toString());
  const { username, complete, photos, trashed, albums } = whole;
  assert.deepEqual([username, complete, photos, trashed, albums], ['paula', true, 4, 1, 2]);
  const { code } = await runLightwell(gallery, ['export', `${folders.root}/out`, '--user', 'paula']);
  assert.equal(code, 0);
  const again = await register(gallery, 'again');
  assert.equal((await runLightwell(gallery, ['import', `${folders.root}/out`, '--user', 'again'])).code, 0);
  assert.deepEqual(await facts(again), await facts(owner));
  for (const [name, content] of files) {
    assert.doesNotMatch(name, /^\/|\.\.|\\/);
    assert.doesNotMatch(
      content.toString('latin1'),
      /of another|secret|gone|hidden-word|stranger@|password_hash|token/,
    );
  }
});

test("lists what the owner did with photos, and of others' photos only what they may see", async () => {
  const files = await exportAccount();
  const list = (name: string) => {
    const { schema, version, list: items } = readJson(files, `${name}.json`);
    assert.deepEqual([schema, version], [`lightwell-${name}`, 1]);
    for (const item of items) {
      assert.match(item.create_time, /^\d{4}-\d\d-\d\dT[\d:]{8}Z$/);
      delete item.create_time;
    }
    // Sorts by photo id: the server sorts entries of one second by id, and the test may run for longer than a
    // second.
    return items.sort(
      (one: { photo_id: number }, other: { photo_id: number }) => one.photo_id - other.photo_id,
    );
  };
  const shown = { photo_id: ids.shown, title: 'Shown', username: 'stranger' };
  const hidden = { photo_id: ids.hidden, title: null, username: null };
  assert.deepEqual(list('likes'), [shown, hidden]);
  const own = { photo_id: ids.dance, title: 'dance', username: 'paula' };
  assert.deepEqual(list('favorites'), [own, shown, hidden]);
  assert.deepEqual(
    list('comments').map(({ id, ...comment }: { id: number }) => comment),
    [shown, hidden].map((photo) => ({
      ...photo,
      parent_id: null,
      content: `Mine "${photo.photo_id}"`,
      likes: 0,
    })),
  );
  assert.deepEqual(list('following'), [{ username: 'stranger' }]);
  const [share, ...others] = list('shares');
  assert.deepEqual(others, []);
  assert.deepEqual([share.photo_id, share.title, share.has_password], [ids.dance, 'dance', 1]);
  const { schema, version, create_time, ...profile } = readJson(files, 'account.json');
  assert.deepEqual(profile, {
    username: 'paula',
    email: 'paula@example.org',
    nickname: 'Paula P.',
    bio: 'So\nlong',
    gender: 1,
    birthday: '1990-02-03',
    mobile: '+1 2',
    is_admin: 0,
  });
  const { avatar } = assertRead(await owner.get('/api/auth/user'));
  assert.deepEqual(files.get('lightwell-avatar.webp'), (await owner.get(avatar)).bytes);
  assert.deepEqual(
    readJson(files, 'photo.jpg.json').comments.map(({ username, content }: Record<string, string>) => [
      username,
      content,
    ]),
    [['', 'From far']],
  );
});

test('import brings favorites of own photos back, and the profile to an account of that name alone', async () => {
  const written = Object.fromEntries([...(await exportAccount())].filter(([name]) => !name.endsWith('/')));
  const dir = await folders.folder('home', written);
  const other = await startGallery();
  try {
    const paula = await register(other, 'paula');
    await paula.put('/api/auth/profile', { nickname: 'Here' });
    const heir = await register(other, 'heir');
    for (const who of ['paula', 'heir', 'paula']) {
      const { code, out, err } = await runLightwell(other, ['import', dir, '--user', who]);
      assert.equal(code, 0, out + err);
      assert.match(out, /, 0 not imported\.\n/);
    }
    const { nickname, bio, gender, birthday, mobile, avatar, stats } = assertRead(
      await paula.get('/api/auth/user'),
    );
    assert.deepEqual(
      { nickname, bio, gender, birthday, mobile },
      { nickname: 'Here', bio: 'So\nlong', gender: 1, birthday: '1990-02-03', mobile: '+1 2' },
    );
    assert.equal((await paula.get(avatar)).status, 200);
    assert.deepEqual([stats.photos, stats.favorites], [3, 1]);
    const favorites = assertRead(await paula.get(`/api/users/${paula.id}/favorites`)).list;
    assert.deepEqual(
      favorites.map(({ title }: { title: string }) => title),
      ['dance'],
    );
    const stranger = assertRead(await heir.get('/api/auth/user'));
    assert.deepEqual([stranger.nickname, stranger.mobile, stranger.avatar], ['', '', '']);
    assert.deepEqual([stranger.stats.photos, stranger.stats.favorites], [3, 1]);
    assert.deepEqual(other.complaints(), []);
  } finally {
    await other.close();
  }
});

test('an original that is lost keeps nobody from the others: missing.txt names it', async () => {
  const { kysely } = gallery.deps.db;
  const row = await kysely
    .selectFrom('photos')
    .innerJoin('images', 'images.key', 'photos.original_key')
    .select(['photos.original_key', 'images.extension'])
    .where('photos.id', '=', lost)
    .executeTakeFirstOrThrow();
  await gallery.deps.storage.remove(objectName(row.original_key, 'original', row.extension));
  const files = await exportAccount();
  assert.equal(files.get('missing.txt')!.toString(), 'photo.jpg\n');
  assert.equal(JSON.parse(files.get('photo.jpg.json')!.toString()).title, 'lost');
  const whole = JSON.parse(files.get('lightwell.json')!.toString());
  assert.deepEqual([whole.complete, whole.photos], [false, 3]);
});

test('only who is signed in takes anything along', async () => {
  assertRefused(await asVisitor(gallery).get('/api/auth/export'), 401, 401);
  const other = await logIn(gallery, owner);
  await other.post('/api/auth/logout');
  assertRefused(await other.get('/api/auth/export'), 401, 10006);
  assert.deepEqual(gallery.complaints(), []);
});
