/** `GET /api/auth/export`: everything of one's own as a ZIP, which is what `lightwell export` writes and `import` reads. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { objectName } from '../../../server/platform/storage/keys.ts';
import { testRights } from '../../contract/steps/rights-walk.ts';
import { assertRefused, assertWritten } from '../../support/answers.ts';
import { lightwell } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { albumsOf, type Folders, makeFolders, photosOf } from '../../support/imports.ts';
import { addAlbum, addPhoto, anonymous, logIn, type Person, register } from '../../support/people.ts';
import { animation, jpeg, jpegWithExif } from '../../support/pictures.ts';
import { unzip } from '../../support/zip.ts';

testRights([
  {
    endpoint: 'GET /api/auth/export',
    codes: [401, 0, 0, 10006, 0],
    ask: (who) => who.get('/api/auth/export'),
  },
]);

let gallery: Gallery;
let folders: Folders;
let owner: Person;
let lost: number;

before(async () => {
  gallery = await startGallery();
  folders = await makeFolders();
  owner = await register(gallery, 'paula');
  const outer = await addAlbum(gallery, owner, 'Trips: a/b');
  const inner = await addAlbum(gallery, owner, 'missing.txt', 0);
  const camera = await addPhoto(
    owner,
    { title: 'camera', tags: 'snow, Über', album_id: String(outer) },
    await jpegWithExif(),
  );
  await addPhoto(owner, { title: 'dance', album_id: String(inner), is_public: '0' }, await animation());
  ({ id: lost } = await addPhoto(
    owner,
    { title: 'lost', description: 'So\ncold' },
    await jpeg({ width: 77 }),
  ));
  const edit = { action: 'crop', params: { x: 10, y: 10, width: 100, height: 80 } };
  assertWritten(await owner.post(`/api/photos/${camera.id}/edit`, edit));
  const { id: trashed } = await addPhoto(owner, { title: 'trashed' }, await jpeg({ width: 99 }));
  await owner.delete(`/api/photos/${trashed}`);
  await addPhoto(await register(gallery, 'stranger'), { title: 'of another' });
});
after(async () => {
  await gallery.close();
  await folders.remove();
});

async function take(who = owner): Promise<Map<string, Buffer>> {
  const answer = await who.get('/api/auth/export');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/zip');
  assert.match(answer.headers.get('content-disposition')!, /filename="?paula\.zip"?/);
  return (await unzip(answer.bytes)).files;
}

const facts = async (who: Person) =>
  (await photosOf(who))
    .map(({ title, description, tags, is_public, width, height, taken_time }) =>
      JSON.stringify({ title, description, tags, is_public, width, height, taken_time }),
    )
    .sort();

test('import reads it back: another account has the same afterwards', async () => {
  const files = await take();
  const names = [...files.keys()];
  assert.ok(names.includes('Trips_ a_b/album.json'), names.join());
  const written = Object.fromEntries([...files].filter(([name]) => !name.endsWith('/')));
  const dir = await folders.folder('taken', written);
  const heir = await register(gallery, 'heir');
  const { code, out, err } = await lightwell(gallery, ['import', dir, '--user', 'heir']);
  assert.equal(code, 0, out + err);
  assert.deepEqual(await facts(heir), await facts(owner));
  const albums = async (who: Person) =>
    (await albumsOf(who)).map(({ name, photo_count, is_public }) => ({ name, photo_count, is_public }));
  assert.deepEqual(await albums(heir), await albums(owner));
});

test('it has what the command line writes, and nothing of others, of the trash, or of the account', async () => {
  const files = await take();
  const whole = JSON.parse(files.get('lightwell.json')!.toString());
  assert.deepEqual([whole.username, whole.complete, whole.photos, whole.albums], ['paula', true, 3, 2]);
  const { code } = await lightwell(gallery, ['export', `${folders.root}/out`, '--user', 'paula']);
  assert.equal(code, 0);
  const again = await register(gallery, 'again');
  assert.equal((await lightwell(gallery, ['import', `${folders.root}/out`, '--user', 'again'])).code, 0);
  assert.deepEqual(await facts(again), await facts(owner));
  for (const [name, content] of files) {
    assert.doesNotMatch(name, /^\/|\.\.|\\/);
    assert.doesNotMatch(content.toString('latin1'), /trashed|of another|@example|password|token/);
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
  const files = await take();
  assert.equal(files.get('missing.txt')!.toString(), 'photo.jpg\n');
  assert.equal(JSON.parse(files.get('photo.jpg.json')!.toString()).title, 'lost');
  const whole = JSON.parse(files.get('lightwell.json')!.toString());
  assert.deepEqual([whole.complete, whole.photos], [false, 2]);
});

test('only who is signed in takes anything along', async () => {
  assertRefused(await anonymous(gallery).get('/api/auth/export'), 401, 401);
  const other = await logIn(gallery, owner);
  await other.post('/api/auth/logout');
  assertRefused(await other.get('/api/auth/export'), 401, 10006);
  assert.deepEqual(gallery.complaints(), []);
});
