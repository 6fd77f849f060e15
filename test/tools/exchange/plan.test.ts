/** Tests the plan of an import: which files become photos of which albums, and which sidecar describes which photo. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readPhotoFacts } from '../../../server/tools/exchange/plan/facts.ts';
import { type ImportPlan, planImport } from '../../../server/tools/exchange/plan/plan.ts';
import type { SourceFile } from '../../../server/tools/exchange/plan/source-file.ts';

type Files = Record<string, string>;

const encoder = new TextEncoder();
const readFrom = (files: Files) => async (file: SourceFile) => encoder.encode(files[file.path]);

async function plan(files: Files): Promise<ImportPlan> {
  const list = Object.entries(files).map(([path, text]) => ({
    path,
    bytes: text.length,
    modified: 0,
    source: 0,
  }));
  return planImport(list, readFrom(files));
}

const takeout = (title: string, more: object = {}) =>
  JSON.stringify({ title, photoTakenTime: { timestamp: '1561937400' }, ...more });

function findPhoto({ photos }: ImportPlan, path: string) {
  const photo = photos.find(({ file }) => file.path === path);
  assert.ok(photo, `${path} is no photo`);
  return photo;
}

/** Names of the albums of a photo, from the top. */
function listAlbums({ albums, photos }: ImportPlan, path: string): string[] {
  const name = (index: number): string => {
    const { name: own, parent } = albums[index]!;
    return parent === undefined ? own : `${name(parent)}/${own}`;
  };
  const photo = photos.find(({ file }) => file.path === path);
  return photo ? photo.albums.map(({ album }) => name(album)) : [];
}

const findOther = ({ others }: ImportPlan, path: string) => others.find(({ file }) => file.path === path);

suite('the JSON of Takeout', () => {
  const long = 'a_photo_with_a_name_that_is_longer_than_Takeout_writes';
  const cut = long.slice(0, 47);
  const rows: [photo: string, json: string, title?: string][] = [
    ['IMG_1.jpg', 'IMG_1.jpg.json'],
    ['IMG_1.jpg', 'IMG_1.jpg.supplemental-metadata.json'],
    ['IMG_1.jpg', 'IMG_1.jpg.supplemental-me.json'],
    ['IMG_1.jpg', 'IMG_1.jpg.s.json'],
    ['IMG_1.jpg', 'IMG_1.jpg..json'],
    ['IMG_1.JPG', 'img_1.jpg.JSON'],
    ['IMG_1(2).jpg', 'IMG_1.jpg(2).json'],
    ['IMG_1(2).jpg', 'IMG_1.jpg.supplemental-metadata(2).json'],
    ['IMG_1(2).jpg', 'IMG_1(2).jpg.json'],
    [`${cut}.jpg`, `${long.slice(0, 46)}.json`],
    [`${long.slice(0, 42)}.jpg`, `${long.slice(0, 42)}.jp.json`],
    [`${long.slice(0, 42)}.jpg`, `${long.slice(0, 42)}.j.json`],
    [`${cut}(1).jpg`, `${long.slice(0, 46)}(1).json`],
    ['truncates at .jpg', 'truncates at.json', 'truncates at .jpg'],
    ['Été.jpg'.normalize('NFD'), 'Été.jpg.json'.normalize('NFC')],
    ['東京 (3).png', '東京 (3).png.json'],
    ['a_b_.jpg', 'x.json', 'a&b?.jpg'],
    ['IMG_2.jpg', 'IMG_2.HEIC.json'],
    ['no extension', 'no extension.json'],
    ['one.two.three.webp', 'one.two.three.webp.suppl.json'],
    [`${cut}.jpg`, 'x.json', `${long} indeed.jpg`],
  ];
  for (const [photo, json, title = photo] of rows) {
    test(`describes ${photo} by ${json}`, async () => {
      const found = findPhoto(await plan({ [photo]: 'p', [json]: takeout(title), 'z.jpg': 'z' }), photo);
      assert.equal(found.json?.path, json);
    });
  }

  const edited = [
    '-edited',
    '-bearbeitet',
    '-modifié',
    '-ha editado',
    '-編集済み',
    '-已修改',
    '-edit',
    '-ред',
    '-수정됨',
  ];
  for (const end of edited) {
    test(`of the original describes the copy with ${end}`, async () => {
      const files = {
        'a.jpg': '1',
        [`a${end}.jpg`]: '2',
        'a.jpg.json': takeout('a.jpg', { description: 'sea' }),
      };
      const photo = findPhoto(await plan(files), `a${end}.jpg`);
      assert.ok(photo.isJsonOfOriginal);
      const facts = await readPhotoFacts(photo, readFrom(files));
      assert.deepEqual([facts.description, facts.takenTime, facts.title], ['sea', 1561937400, '']);
    });
  }

  test('of a copy with a number describes the edited copy with the number', async () => {
    const files = {
      'a.jpg': '1',
      'a(1).jpg': '2',
      'a-edited(1).jpg': '3',
      'a.jpg.json': takeout('a.jpg'),
      'a.jpg(1).json': takeout('a.jpg'),
    };
    assert.equal(findPhoto(await plan(files), 'a-edited(1).jpg').json?.path, 'a.jpg(1).json');
  });

  const noPhotos: [name: string, text: string][] = [
    ['nothing.json', takeout('nothing.jpg')],
    ['broken.json', '{"title": '],
    ['list.json', '[1, 2]'],
    ['deep.json', `${'['.repeat(100_000)}1`],
    ['proto.json', '{"__proto__": {"title": "a.jpg"}, "constructor": 1}'],
    ['number.json', '{"title": 7, "photoTakenTime": {"timestamp": {}}}'],
    ['empty.json', ''],
  ];
  for (const [name, text] of noPhotos) {
    test(`${name} describes no photo`, async () => {
      const made = await plan({ 'a.jpg': 'a', [name]: text });
      assert.deepEqual([made.photos.length, findPhoto(made, 'a.jpg').json], [1, undefined]);
      assert.equal(findOther(made, name)?.outcome, 'ignored');
    });
  }

  test('has places, flags and times only where they are possible', async () => {
    const read = async (more: object) => {
      const files = { 'a.jpg': 'a', 'a.jpg.json': takeout('a.jpg', more) };
      return readPhotoFacts(findPhoto(await plan(files), 'a.jpg'), readFrom(files));
    };
    const nowhere = { latitude: 0, longitude: 0 };
    const there = { latitude: 1.5, longitude: 0 };
    assert.equal((await read({ geoData: nowhere })).location, undefined);
    assert.deepEqual((await read({ geoData: nowhere, geoDataExif: there })).location, there);
    assert.equal((await read({ geoData: { latitude: 91, longitude: 0 } })).location, undefined);
    assert.equal((await read({ geoData: { latitude: '1', longitude: '2' } })).location, undefined);
    for (const timestamp of ['0', '', 'soon', 1.5, null, 1e15]) {
      assert.equal((await read({ photoTakenTime: { timestamp } })).takenTime, undefined);
    }
    assert.equal((await read({ photoTakenTime: { timestamp: '-86400' } })).takenTime, -86_400);
    assert.equal((await read({ trashed: 'yes', archived: 1 })).isTrashed, false);
    assert.ok((await read({ archived: true })).isArchived);
  });
});

suite('the folders of Takeout', () => {
  const json = takeout('a.jpg');
  const years = [
    'Photos from 2019',
    'Fotos von 2019',
    'Fotos aus 2019',
    'Photos de 2019',
    'Fotos del 2019',
    'Foto del 2019',
    "Foto's uit 2019",
    'Zdjęcia z 2019',
    'Fotky z roku 2019',
    'Foton från 2019',
    'Фото за 2019 год',
    '2019 年的照片',
    '2019年の写真',
    '2019년 사진',
    'Photos from 2019'.toUpperCase(),
  ];
  for (const year of years) {
    test(`${year} is no album`, async () => {
      const base = 'Takeout/Google Photos';
      const files = {
        [`${base}/${year}/a.jpg`]: 'a',
        [`${base}/${year}/a.jpg.json`]: json,
        [`${base}/Rome/a.jpg`]: 'a',
        [`${base}/Rome/metadata.json`]: JSON.stringify({ title: 'Rome: spring', description: 'By train' }),
      };
      const made = await plan(files);
      assert.deepEqual(listAlbums(made, `${base}/${year}/a.jpg`), []);
      assert.deepEqual(listAlbums(made, `${base}/Rome/a.jpg`), ['Rome: spring']);
      assert.equal(made.albums[0]!.description, 'By train');
      assert.ok(findPhoto(made, `${base}/Rome/a.jpg`).json, 'the JSON of the year folder');
    });
  }

  test('of an unknown language are no albums if the same words have several years', async () => {
    const base = 'Takeout/Google Zdjeci';
    const files = {
      [`${base}/Sgrin o 2018/b.jpg`]: 'b',
      [`${base}/Sgrin o 2018/b.jpg.json`]: takeout('b.jpg', { photoTakenTime: { timestamp: '1530000000' } }),
      [`${base}/Sgrin o 2019/a.jpg`]: 'a',
      [`${base}/Sgrin o 2019/a.jpg.json`]: json,
    };
    assert.deepEqual((await plan(files)).albums, []);
  });

  test('with years are albums if they have a title, or belong to no Takeout', async () => {
    const named = {
      'Takeout/Google Photos/Photos from 2019/a.jpg': 'a',
      'Takeout/Google Photos/Summer 2018/a.jpg': 'a',
      'Takeout/Google Photos/Summer 2018/metadata.json': '{"title": "Summer 2018"}',
      'Takeout/Google Photos/Summer 2019/a.jpg': 'a',
      'Takeout/Google Photos/Summer 2019/metadata.json': '{"title": "Summer 2019"}',
    };
    assert.deepEqual(
      (await plan(named)).albums.map(({ name }) => name),
      ['Summer 2018', 'Summer 2019'],
    );
    const plain = { 'Summer 2018/a.jpg': 'a', 'Summer 2019/b.jpg': 'b' };
    assert.deepEqual(
      (await plan(plain)).albums.map(({ name }) => name),
      ['Summer 2018', 'Summer 2019'],
    );
  });

  test('of two albums with one title stay two albums', async () => {
    const files = {
      'Takeout/Google Photos/Rome/a.jpg': 'a',
      'Takeout/Google Photos/Rome/metadata.json': '{"title": "Rome"}',
      'Takeout/Google Photos/Rome(1)/b.jpg': 'b',
      'Takeout/Google Photos/Rome(1)/metadata.json': '{"title": "Rome"}',
    };
    assert.deepEqual(
      (await plan(files)).albums.map(({ name }) => name),
      ['Rome', 'Rome(1)'],
    );
  });

  test('are one tree when their parts were unpacked beside each other', async () => {
    const files = {
      'one/Takeout/Google Photos/Photos from 2019/a.jpg': 'a',
      'two/Takeout/Google Photos/Photos from 2019/a.jpg.json': json,
    };
    const made = await plan(files);
    assert.equal(
      findPhoto(made, 'one/Takeout/Google Photos/Photos from 2019/a.jpg').json?.path,
      Object.keys(files)[1],
    );
    assert.deepEqual(made.albums, []);
  });

  test('of the trash and the archive are no albums', async () => {
    const files = {
      'Takeout/Google Fotos/Papierkorb/a.jpg': 'a',
      'Takeout/Google Fotos/Archiv/b.jpg': 'b',
      'Takeout/Google Fotos/2015-03-01/c.jpg': 'c',
    };
    const made = await plan(files);
    assert.deepEqual(made.albums, []);
    assert.ok(findPhoto(made, 'Takeout/Google Fotos/Papierkorb/a.jpg').isTrashed);
  });
});
