/** Tests searches as a new user types them, over photos that cameras and phones made. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { assertRead, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

interface EverydayPhoto {
  title: string;
  description?: string;
  tags?: string;
  file: string;
  album?: string;
  camera?: [string, string];
  lens?: string;
  taken?: string;
  by?: 'mia';
}

const photos: EverydayPhoto[] = [
  {
    ...{
      title: 'Paris, Louvre',
      description: 'The pyramid at night',
      tags: 'museum, France',
      file: 'IMG_1234.JPG',
    },
    ...{
      camera: ['NIKON CORPORATION', 'NIKON D750'],
      lens: 'AF-S NIKKOR 24-70mm f/2.8G',
      taken: '2019:12:24 20:15:00',
    },
  },
  {
    ...{ title: 'Café de Flore', tags: 'coffee', file: 'IMG_1240.JPG', album: 'Île-de-France 2019' },
    ...{ camera: ['NIKON CORPORATION', 'NIKON D750'], taken: '2019:06:01 09:30:00' },
  },
  {
    ...{
      title: 'Oma’s 80. Geburtstag',
      description: 'Kaffee und Kuchen',
      tags: 'Familie',
      file: 'DSC00815.JPG',
    },
    ...{
      album: 'Geburtstage',
      camera: ['SONY', 'ILCE-7M3'],
      lens: 'FE 35mm F1.8',
      taken: '2021:12:05 15:00:00',
    },
  },
  {
    ...{ title: 'Puppy', tags: 'dog, dora', file: 'IMG-20200214-WA0007.jpg' },
    ...{ camera: ['Apple', 'iPhone 13 Pro'], taken: '2022:05:17 12:00:00' },
  },
  {
    title: '海边日落',
    description: '厦门的傍晚',
    tags: '日落',
    file: '微信图片_20180811.jpg',
    taken: '2018:08:11 19:05:00',
  },
  {
    title: 'カフェ',
    description: 'ﾄｳｷｮｳ',
    file: 'P1010001.JPG',
    camera: ['Panasonic', 'DC-GX9'],
    taken: '2023:03:03 10:00:00',
  },
  {
    title: '12" vinyl – Re:Zero (live)',
    tags: 'music, trip 10, trip 2',
    file: 'scan 0001.jpg',
    taken: '1998:07:01 00:00:00',
  },
  {
    title: 'Straße in Łódź',
    tags: 'Polska',
    file: 'R0000042.JPG',
    camera: ['RICOH', 'GR III'],
    taken: '2024:10:10 08:00:00',
  },
  {
    title: 'Sunset at the lake',
    tags: 'sunset',
    file: 'DJI_0042.JPG',
    by: 'mia',
    taken: '2025:01:02 17:00:00',
  },
];

describe('everyday searches', () => {
  let gallery: Gallery;
  let ann: Person;
  before(async () => {
    gallery = await startGallery({}, { isIdle: true });
    ann = await register(gallery, 'ann');
    const mia = await register(gallery, 'mia');
    assertWritten(await mia.put('/api/auth/profile', { nickname: 'Mia Muñoz' }));
    const albums = new Map<string, number>();
    for (const photo of photos) {
      const { album } = photo;
      if (album && !albums.has(album))
        albums.set(album, await addAlbum(ann, album, { visibility: 'private' }));
      await upload(photo.by ? mia : ann, photo, album ? albums.get(album) : undefined);
    }
  });
  after(() => gallery.close());

  async function upload(who: Person, photo: EverydayPhoto, album: number | undefined): Promise<void> {
    const { title, description = '', tags = '', file, camera, lens, taken } = photo;
    const picture = sharp(await createJpeg({ width: 40, height: 30 })).withExif({
      ...(camera && { IFD0: { Make: camera[0], Model: camera[1] } }),
      IFD2: { ...(lens && { LensModel: lens }), ...(taken && { DateTimeOriginal: taken }) },
    });
    const texts = { title, description, tags, visibility: 'public', album_id: album ? String(album) : '' };
    const fields = Object.entries(texts).filter(([, value]) => value !== '');
    assertWritten(await who.upload(await picture.jpeg().toBuffer(), Object.fromEntries(fields), file));
  }

  const [louvre, flore, oma, puppy, sea, tokyo, vinyl, lodz, lake] = photos.map(({ title }) => title);
  const searches: [string, (string | undefined)[]][] = [
    ['nikon 2019', [flore, louvre]],
    ['december', [louvre, oma]],
    ['december 2019', [louvre]],
    ['iphone', [puppy]],
    ['iPhone 13', [puppy]],
    ['paris - louvre', [louvre]],
    ['Paris – Louvre', [louvre]],
    ['IMG_1234', [louvre]],
    ['img_12', [flore, louvre]],
    ['十二月', [louvre, oma]],
    ['12月', [louvre, oma]],
    ['2018年', [sea]],
    ['2018年8月', [sea]],
    ['cafe', [flore]],
    ['CAFÉ', [flore]],
    ['ｶﾌｪ', [tokyo]],
    ['トウキョウ', [tokyo]],
    ["oma's", [oma]],
    ['Oma‘s geburtstag', [oma]],
    ['dora', [puppy]],
    ['dog 2022', [puppy]],
    ['12" vinyl', [vinyl]],
    ['Re:Zero', [vinyl]],
    ['(live', [vinyl]],
    ['1990s', [vinyl]],
    ['strasse', [lodz]],
    ['lodz', [lodz]],
    ['ricoh OR sony', [oma, lodz]],
    ['35mm', [oma]],
    ['nikkor 24-70', [louvre]],
    ['日落', [sea]],
    ['厦门', [sea]],
    ['ile-de-france', [flore]],
    ['mia', [lake]],
    ['munoz sunset', [lake]],
    ['sunset -mia', []],
    ['museum, france', [louvre]],
    ['“pyramid at night”', [louvre]],
    ['ｎｉｋｏｎ　２０１９', [flore, louvre]],
    ['mai 2022', [puppy]],
    ['2019-12-24', [louvre]],
    ['december nikon museum', [louvre]],
    ['WA0007', [puppy]],
    ['geburtstage', [oma]],
    ['scan 0001', [vinyl]],
    ['GR III', [lodz]],
    ['https://example.org/Louvre', []],
    ['nikno', []],
    ['pariss', []],
    ['louvre 2020', []],
    ['DJI_0042', []],
  ];

  test('a new user finds photos by the words that come to mind', async () => {
    for (const [q, expected] of searches) {
      const { list, pagination } = assertRead(await ann.get(`/api/photos?q=${encodeURIComponent(q)}`));
      const found = list.map(({ title }: { title: string }) => title).sort();
      assert.deepEqual(found, [...expected].sort(), q);
      assert.equal(pagination.total, expected.length, q);
    }
  });

  test('the empty result of a search with a wrong word names the search without that word', async () => {
    const nearest: [string, string][] = [
      ['nikno 2019', '2019'],
      ['louvre 2020', 'louvre'],
      ['iphone pariss', 'iphone'],
      ['december nikon beach', 'december nikon'],
    ];
    for (const [q, expected] of nearest)
      assert.equal(assertRead(await ann.get(`/api/photos?q=${encodeURIComponent(q)}`)).nearest, expected, q);
  });

  test('strangers find the same photos by the fields that they can read', async () => {
    const visitor = await register(gallery, 'bob');
    for (const q of ['IMG_1234', 'geburtstage', 'ile-de-france'])
      assert.equal(assertRead(await visitor.get(`/api/photos?q=${q}`)).pagination.total, 0, q);
    for (const q of ['nikon 2019', 'december', 'iphone'])
      assert.ok(assertRead(await visitor.get(`/api/photos?q=${q}`)).pagination.total > 0, q);
  });

  test('facets of equal count are sorted as people count, without regard to case', async () => {
    const { tags } = assertRead(await ann.get('/api/facets'));
    const names = tags.map(({ name }: { name: string }) => name);
    const expected = 'coffee dog dora Familie France museum music Polska sunset'.split(' ');
    assert.deepEqual(names, [...expected, 'trip 2', 'trip 10', '日落']);
  });
});
