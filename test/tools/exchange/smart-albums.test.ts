/**
 * Tests smart albums in `export` and `import`: the rules are transferred, and no file is imported into a
 * smart album.
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { assertAlbumsConsistent } from '../../support/albums.ts';
import { assertRead, assertWritten } from '../../support/assert-answers.ts';
import { runLightwell } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { type ImportFolders, makeFolders, makePicture, readPhotos } from '../../support/import-folders.ts';
import { addPhoto, type Person, register } from '../../support/people.ts';

let gallery: Gallery;
let owner: Person;
let folders: ImportFolders;

before(async () => {
  gallery = await startGallery();
  owner = await register(gallery, 'paula');
  folders = await makeFolders();
  const trips = await make({ name: 'Trips' });
  await make({ name: 'Sea', rule: 'tag:sea -is:private', description: 'All of it', parent_id: trips });
  await make({ name: 'Plain', parent_id: trips });
  await addPhoto(owner, { title: 'waves', tags: 'sea', album_id: String(trips) }, await makePicture());
  await addPhoto(owner, { title: 'secret', tags: 'sea', is_public: '0' }, await makePicture());
});
after(async () => {
  await gallery.close();
  await folders.remove();
});

const make = async (album: object): Promise<number> =>
  assertWritten(await owner.post('/api/albums', album)).id;

async function readAlbums(person: Person) {
  const query = `user_id=${person.id}&limit=100&sort=name&order=asc`;
  const { list } = assertRead(await person.get(`/api/albums?${query}`));
  return list.map(({ name, rule, description, photo_count }: Record<string, unknown>) => [
    name,
    rule,
    description,
    photo_count,
  ]);
}

const expected = [
  ['Plain', null, '', 0],
  ['Sea', 'tag:sea -is:private', 'All of it', 1],
  ['Trips', null, '', 1],
];

test('an export has the rule, and each photo once; an import of it makes the same album, once', async () => {
  const dir = join(folders.root, 'out');
  const { out } = await runLightwell(gallery, ['export', dir, '--user', 'paula']);
  assert.equal(out, 'paula: 2 photos in 3 albums, 0 not exported.\n');
  assert.deepEqual(await readdir(join(dir, 'Trips', 'Sea')), ['album.json']);
  const told = JSON.parse(await readFile(join(dir, 'Trips', 'Sea', 'album.json'), 'utf8'));
  assert.equal(told.rule, 'tag:sea -is:private');
  assert.equal(JSON.parse(await readFile(join(dir, 'Trips', 'Plain', 'album.json'), 'utf8')).rule, null);

  const rita = await register(gallery, 'rita');
  for (const said of [
    /^2 imported into 3 new albums, 0 already/,
    /^0 imported into 0 new albums, 2 already/,
  ]) {
    const { code, out } = await runLightwell(gallery, ['import', dir, '--user', 'rita']);
    assert.equal(code, 0, out);
    assert.match(out, said);
    assert.deepEqual(await readAlbums(rita), expected);
  }
  assert.deepEqual(await readAlbums(owner), expected);
  await assertAlbumsConsistent(gallery);
});

test('albums that a rule names are named by the ids that they get', async () => {
  const uli = await register(gallery, 'uli');
  const makeFor = async (album: object): Promise<number> =>
    assertWritten(await uli.post('/api/albums', album)).id;
  const zoo = await makeFor({ name: 'Zoo' });
  const text = 'phrase "album:1 in it"';
  const rule = (id: number, other: number | string) =>
    `album:${id} OR (ALBUM:"${id}" -album:${other}) OR ${text}`;
  await makeFor({ name: 'Apes', rule: rule(zoo, zoo) });
  await makeFor({ name: 'Gone', rule: rule(zoo, 999) });
  await addPhoto(uli, { title: 'monkey', album_id: String(zoo) }, await makePicture());
  const dir = join(folders.root, 'uli');
  await runLightwell(gallery, ['export', dir, '--user', 'uli']);
  const vera = await register(gallery, 'vera');
  for (let n = 0; n < 2; n++) {
    const { code, out } = await runLightwell(gallery, ['import', dir, '--user', 'vera']);
    assert.equal(code, 0, out);
    const { list } = assertRead(await vera.get(`/api/albums?user_id=${vera.id}&sort=name&order=asc`));
    const [apes, gone, own] = list;
    assert.notEqual(own.id, zoo);
    assert.deepEqual([apes.rule, apes.photo_count], [rule(own.id, own.id), 1]);
    assert.deepEqual([gone.rule, gone.photo_count], [rule(own.id, '999999999999999'), 1]);
  }
});

test('files and folders in the folder of a smart album are refused by name', async () => {
  const sven = await register(gallery, 'sven');
  const time = '2026-03-01T09:30:00Z';
  const album = {
    ...{ schema: 'lightwell-album', version: 1, name: 'Smart', description: '', is_public: 1 },
    ...{ create_time: time, update_time: time, cover_sha256: null, rule: 'tag:sea' },
  };
  const dir = await folders.folder('mixed', {
    'Smart/album.json': JSON.stringify(album),
    'Smart/in.jpg': await makePicture(),
    'Smart/Below/deep.jpg': await makePicture(),
    'Wrong/album.json': JSON.stringify({ ...album, name: 'Wrong', rule: 'iso:abc' }),
    'ok.jpg': await makePicture(),
  });
  const { code, out } = await runLightwell(gallery, ['import', dir, '--user', 'sven']);
  assert.equal(code, 1, out);
  assert.match(out, /Smart\/in\.jpg: Photos cannot be added to a smart album/);
  assert.match(out, /Smart\/Below\/deep\.jpg: Photos cannot be added to a smart album/);
  assert.match(out, /Wrong\/album\.json: .*rule: Cannot be read at character 1: "abc" is not a value/);
  assert.match(out, /^1 imported into 1 new albums, 0 already present, \d not imported\.$/m);
  assert.deepEqual(await readAlbums(sven), [['Smart', 'tag:sea', '', 0]]);
  assert.deepEqual(
    (await readPhotos(sven)).map(({ title }) => title),
    ['ok'],
  );
});

test('an ordinary folder makes an album beside a smart one of its name', async () => {
  const tilda = await register(gallery, 'tilda');
  assertWritten(await tilda.post('/api/albums', { name: 'Alps', rule: 'alps' }));
  const dir = await folders.folder('plain', { 'Alps/peak.jpg': await makePicture() });
  for (const imported of [1, 0]) {
    const { code, out } = await runLightwell(gallery, ['import', dir, '--user', 'tilda']);
    assert.equal(code, 0, out);
    assert.match(out, new RegExp(`^${imported} imported into ${imported} new albums`));
    const albums = (await readAlbums(tilda)).map(([name, rule, , n]: unknown[]) => [name, rule, n]);
    assert.deepEqual(
      albums.sort(),
      [
        ['Alps', 'alps', 0],
        ['Alps', null, 1],
      ].sort(),
    );
  }
});
