/** Tests `lightwell export` and `import`: another account has the same photos and albums afterwards. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { assertAlbumsConsistent } from '../../support/albums.ts';
import { assertRead, assertWritten } from '../../support/assert-answers.ts';
import { runLightwell, runLightwellProcess } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, type Person, register } from '../../support/people.ts';
import { createAnimation, createJpeg, createJpegWithExif, createLandmarks } from '../../support/pictures.ts';

let gallery: Gallery;
let root: string;
let dir: string;
let owner: Person;
let bytes: Record<string, Buffer>;

before(async () => {
  gallery = await startGallery();
  root = await mkdtemp(join(tmpdir(), 'lightwell-export-'));
  dir = join(root, 'out');
  owner = await register(gallery, 'paula');
  bytes = {
    camera: await createJpegWithExif(),
    lake: await createLandmarks(),
    dance: await createAnimation(),
    loose: await createJpeg(),
    again: await createJpeg({ colour: '#123' }),
    hidden: await createJpeg({ colour: '#321' }),
  };
  const trips = await addAlbum(owner, 'Trips: a/b');
  const inner = await addAlbum(owner, 'Alps', { parentId: trips });
  gallery.travel(-500_000);
  const twin = await addAlbum(owner, 'Alps', { isPublic: false, parentId: trips });
  await owner.put(`/api/albums/${inner}`, { description: 'Two weeks\nin March' });
  const add = async (name: string, fields: Record<string, string>, fileName = 'IMG_1.jpg') => {
    const { body } = await owner.upload(bytes[name]!, { title: name, ...fields }, fileName);
    gallery.travel(1000);
    return body.data.id as number;
  };
  const camera = await add('camera', {
    album_id: String(inner),
    tags: 'snow, Über',
    description: 'So\ncold',
  });
  const lake = await add('lake', { album_id: String(inner) }, 'IMG_1.png');
  const again = await add('again', { album_id: String(inner) });
  const dance = await add('dance', { album_id: String(twin), is_public: '0' }, '.htaccess');
  await add('loose', { visibility: 'members' }, 'desktop.ini.jpg');
  const hidden = await add('hidden', { is_public: '0' });
  const trashed = await addPhoto(owner, { title: 'trashed' }, await createJpeg({ width: 99 }));
  await owner.delete(`/api/photos/${trashed.id}`);
  gallery.travel(500_000 - 6000);
  for (const step of [
    { action: 'crop', params: { x: 10, y: 10, width: 100, height: 80 } },
    { action: 'filter', params: { type: 'sepia' } },
  ]) {
    assertWritten(await owner.post(`/api/photos/${camera}/edit`, step));
  }
  await owner.put(`/api/albums/${inner}/order`, { ids: [again, camera, lake] });
  await owner.put(`/api/albums/${trips}`, { cover_id: lake });
  await owner.post(`/api/albums/${twin}/photos`, { ids: [lake, again] });
  await owner.put(`/api/albums/${twin}/order`, { ids: [again, dance, lake] });
  const friend = await register(gallery, 'quirin');
  const said = await friend.post(`/api/photos/${camera}/comments`, { content: 'Brr <b>' });
  await owner.post(`/api/photos/${camera}/comments`, { content: 'Indeed', parent_id: said.body.data.id });
  await friend.post(`/api/photos/${camera}/like`);
  await owner.post(`/api/photos/${hidden}/favorite`);
});
after(async () => {
  await gallery.close();
  await rm(root, { recursive: true, force: true });
});

async function filesIn(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const pairs = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(folder.length + 1), await readFile(path)] as const;
  });
  return new Map((await Promise.all(pairs)).sort(([one], [other]) => (one < other ? -1 : 1)));
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of several shapes
const readJson = (files: Map<string, Buffer>, name: string): any => JSON.parse(files.get(name)!.toString());

test('writes originals byte for byte into folders of albums, with JSON beside them', async () => {
  const { code, out, error } = await runLightwellProcess(gallery, ['export', dir, '--user', 'paula']);
  assert.equal(code, 0, error);
  assert.equal(out, 'paula: 7 photos in 3 albums, 0 not exported.\n');
  const files = await filesIn(dir);
  const photos = [...files.keys()].filter((name) => !/\.(json|xmp)$|^Trash\//.test(name));
  assert.equal(photos.length, 6, photos.join());
  const hash = (content: Buffer) => createHash('sha256').update(content).digest('hex');
  assert.deepEqual(
    photos.map((name) => hash(files.get(name)!)).sort(),
    Object.values(bytes).map(hash).sort(),
  );
  assert.ok(
    photos.every((name) => !/(^|\/)[.]|htaccess$|[:\\]/.test(name)),
    photos.join(),
  );
  const camera = [...files.keys()].find((name) => files.get(name)!.includes('"Über"'))!;
  assert.match(camera, /^Trips_ a_b\/Alps\/IMG_1(-\d+)?\.jpg\.json$/);
  const told = readJson(files, camera);
  assert.deepEqual(
    [told.schema, told.version, told.title, told.tags, told.visibility, told.is_public, told.likes],
    ['lightwell-photo', 1, 'camera', ['snow', 'Über'], 'public', 1, 1],
  );
  assert.deepEqual(
    told.edits.map(({ action }: { action: string }) => action),
    ['crop', 'filter'],
  );
  assert.equal(told.taken_time, '2021-05-06T07:08:09Z');
  assert.deepEqual(
    told.comments.map((comment: { username: string; content: string; replies: unknown[] }) => [
      comment.username,
      comment.content,
      comment.replies.length,
    ]),
    [['quirin', 'Brr <b>', 1]],
  );
  const whole = readJson(files, 'lightwell.json');
  assert.deepEqual([whole.username, whole.complete, whole.photos, whole.albums], ['paula', true, 7, 3]);
  const trashed = [...files]
    .filter(([, content]) => content.includes('"title": "trashed"'))
    .map(([name]) => name);
  assert.match(trashed.join(), /^Trash\/photo-\d+\.jpg\.json$/);
  assert.ok(
    [...files.values()].every((content) => !/password|token|quirin@example/.test(content.toString('latin1'))),
  );
});

test('run again, it writes only what is missing or wrong', async () => {
  const before = await filesIn(dir);
  const [whole, cut] = [...before.keys()].filter((name) => !/\.(json|xmp)$/.test(name)) as [string, string];
  const { ino } = await stat(join(dir, whole));
  await writeFile(join(dir, cut), before.get(cut)!.subarray(0, 10));
  assert.equal((await runLightwell(gallery, ['export', dir, '--user', 'paula'])).code, 0);
  const after = await filesIn(dir);
  assert.deepEqual([...after.keys()], [...before.keys()]);
  for (const [name, content] of before) {
    if (name !== 'lightwell.json') assert.ok(content.equals(after.get(name)!), name);
  }
  assert.equal((await stat(join(dir, whole))).ino, ino);
});

test('import reads it back: albums, order, covers, tags, titles, edits, visibility and dates', async () => {
  const rita = await register(gallery, 'rita');
  const { out } = await runLightwell(gallery, ['import', dir, '--user', 'rita']);
  assert.match(out, /^7 imported into 3 new albums, 0 already present, 0 not imported\.$/m);
  const { albums, photos } = await library(owner);
  assert.deepEqual(await library(rita), { albums, photos });
  assert.equal(photos.length, 6);
  const [trips, alps] = ['Trips: a/b', 'Two weeks\nin March'].map((text) =>
    albums.find(({ name, description }) => name === text || description === text),
  );
  assert.deepEqual(alps!.photos, ['again', 'camera', 'lake']);
  assert.equal(photos.find(({ title }) => title === 'camera')!.edits.length, 2);
  assert.notEqual(trips!.cover, alps!.cover, 'the chosen one, not the newest');
  const again = await runLightwell(gallery, ['import', dir, '--user', 'rita']);
  assert.match(again.out, /^0 imported into 0 new albums, 7 already present, 0 not/);
  assert.deepEqual(await library(rita), await library(owner));
  await assertAlbumsConsistent(gallery);

  const copy = join(root, 'copy');
  assert.equal((await runLightwell(gallery, ['export', copy, '--user', 'rita'])).code, 0);
  const [first, second] = [await filesIn(dir), await filesIn(copy)];
  const pictures = (files: Map<string, Buffer>) =>
    [...files]
      .filter(([name]) => !/\.(json|xmp)$/.test(name))
      .map(([name, content]) => [plain(name), content]);
  assert.deepEqual(pictures(second), pictures(first));
});

test('an import that was ended before the edits makes them when it is run again', async () => {
  const sara = await register(gallery, 'sara');
  await runLightwell(gallery, ['import', dir, '--user', 'sara']);
  const { list } = assertRead(await sara.get(`/api/users/${sara.id}/photos`));
  const { id } = list.find(({ title }: { title: string }) => title === 'camera');
  assertWritten(await sara.post(`/api/photos/${id}/revert`, {}));
  await runLightwell(gallery, ['import', dir, '--user', 'sara']);
  assert.deepEqual(await library(sara), await library(owner));
});

test('everybody gets a folder of their own; a folder of another user is refused', async () => {
  const all = join(root, 'all');
  const { code, out } = await runLightwell(gallery, ['export', all]);
  assert.equal(code, 0);
  assert.match(out, /^paula: 7 photos in 3 albums/m);
  assert.match(out, /^quirin: 0 photos in 0 albums/m);
  assert.deepEqual([...(await filesIn(join(all, 'paula'))).keys()], [...(await filesIn(dir)).keys()]);
  const refused = await runLightwell(gallery, ['export', dir, '--user', 'quirin']);
  assert.equal(refused.code, 1);
  assert.match(refused.error, /already holds the export of paula/);
});

test('names an altered file of an export and does not import it', async () => {
  const tina = await register(gallery, 'tina');
  const copy = join(root, 'altered');
  await runLightwell(gallery, ['export', copy, '--user', 'paula']);
  const files = await filesIn(copy);
  const [picture, other] = [...files.keys()].filter((name) => !/\.(json|xmp)$|^Trash\//.test(name)) as [
    string,
    string,
  ];
  await writeFile(join(copy, picture), Buffer.concat([files.get(picture)!, Buffer.from('!')]));
  await writeFile(
    join(copy, `${other}.json`),
    JSON.stringify({ ...readJson(files, `${other}.json`), title: 'x'.repeat(201), taken_time: 'yesterday' }),
  );
  const { code, out } = await runLightwell(gallery, ['import', copy, '--user', 'tina']);
  assert.equal(code, 1);
  assert.ok(out.includes(`${picture}: The file is not the one that the .json beside it describes\n`), out);
  assert.match(out, /: .*title: .*taken_time: /s);
  assert.match(out, /^5 imported into 3 new albums, 0 already present, 2 not imported\.$/m);
  assert.equal(assertRead(await tina.get(`/api/users/${tina.id}/photos`)).pagination.total, 4);
});

test('names of the length that the API takes fit every file system', async () => {
  const uwe = await register(gallery, 'uwe');
  const album = await addAlbum(uwe, '山'.repeat(100));
  for (const colour of ['#111', '#222']) {
    const fields = { album_id: String(album) };
    const { body } = await uwe.upload(await createJpeg({ colour }), fields, `${'湖'.repeat(150)}.jpg`);
    assert.equal(body.code, 0);
    // Moves the clock, so that the photos differ in time: photos of equal times would be ordered by id.
    gallery.travel(1);
  }
  const long = join(root, 'long');
  const { code, error } = await runLightwell(gallery, ['export', long, '--user', 'uwe']);
  assert.equal(code, 0, error);
  const vera = await register(gallery, 'vera');
  await runLightwell(gallery, ['import', long, '--user', 'vera']);
  assert.deepEqual(await library(vera), await library(uwe));
});

test('a lost original is named, and everything else is exported', async () => {
  const { original_key } = await gallery.deps.db.kysely
    .selectFrom('photos')
    .select('original_key')
    .where('title', '=', 'loose')
    .where('user_id', '=', owner.id)
    .executeTakeFirstOrThrow();
  await gallery.deps.storage.remove(`${original_key}.original.jpg`);
  const { code, out } = await runLightwell(gallery, ['export', join(root, 'lost'), '--user', 'paula']);
  assert.equal(code, 1);
  assert.match(out, /^.*\.jpg: the original is missing\npaula: 6 photos in 3 albums, 1 not exported\.\n$/);
});

/** Returns the photos and albums of an account, without ids and keys, which always differ. */
async function library(person: Person) {
  const { list } = assertRead(await person.get(`/api/albums?user_id=${person.id}&limit=100`));
  const albums = await Promise.all(
    list.map(async ({ id }: { id: number }) => {
      const album = assertRead(await person.get(`/api/albums/${id}`));
      const photos = assertRead(await person.get(`/api/albums/${id}/photos`)).list;
      return {
        name: album.name,
        description: album.description,
        visibility: album.visibility,
        create_time: album.create_time,
        parents: album.parents.map(({ name }: { name: string }) => name),
        cover: await picture(person, album.cover),
        photos: photos.map(({ title }: { title: string }) => title),
      };
    }),
  );
  const found = assertRead(await person.get(`/api/users/${person.id}/photos?limit=100`)).list;
  const photos = await Promise.all(
    found.map(async ({ id }: { id: number }) => {
      const photo = assertRead(await person.get(`/api/photos/${id}`));
      const { list: edits } = assertRead(await person.get(`/api/photos/${id}/edits`));
      const { title, description, tags, visibility, create_time, width, height, size, exif } = photo;
      return {
        ...{ title, description, tags, visibility, create_time, width, height, size, exif },
        album: photo.album?.name ?? null,
        albums: photo.albums.map(({ name, as }: Record<string, string>) => `${name}: ${as}`),
        edits: edits.map(({ id: _, ...step }: { id: number }) => step),
        shown: await picture(person, photo.path),
      };
    }),
  );
  return { albums: sorted(albums), photos: sorted(photos) };
}

const sorted = <Item>(items: Item[]): Item[] =>
  items.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));

async function picture(person: Person, path: string): Promise<string> {
  const { bytes } = await person.get(path);
  return createHash('sha256').update(bytes).digest('hex');
}

/** Removes the ids that make equal file names unique. */
const plain = (name: string) => name.replace(/-\d+(?=\.|\/|$)/g, '');
