/** Tests the query parameter `q`: the photos each field finds, for each viewer, and the error messages. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { assertDone, assertRead, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { createAnimation, createJpeg } from '../../support/pictures.ts';

describe('q', () => {
  let gallery: Gallery;
  let ann: Person;
  let bea: Person;
  let admin: Person;
  let visitor: Person;
  let album: number;
  const ids: Record<string, number> = {};

  before(async () => {
    gallery = await startGallery();
    [ann, bea] = [await register(gallery, 'ann'), await register(gallery, 'Bea')];
    admin = await registerAdmin(gallery, 'admin');
    visitor = asVisitor(gallery);
    album = await addAlbum(ann, 'Alps');
    const add = async (who: Person, title: string, fields: Record<string, string>, picture: Buffer) => {
      ids[title] = (await addPhoto(who, { title, ...fields }, picture)).id;
    };
    await add(ann, 'Moonrise at sea', { tags: 'sea,New York', album_id: String(album) }, await wide());
    await add(ann, 'hidden moon', { tags: 'sea', is_public: '0' }, await square());
    await add(bea, '山水の月', { tags: 'Берег', description: 'a moon, 100% "quoted"' }, await tall());
    await add(bea, 'moving moon', {}, await createAnimation());
    await set('Moonrise at sea', {
      camera: 'Canon EOS R5',
      iso: 800,
      aperture: 'f/2.8',
      taken: '2024-05-17',
    });
    await set('hidden moon', { camera: 'ЗЕНИТ-Е', iso: 100, aperture: 'f/16', taken: '2024-12-31' });
    await set('moving moon', { camera: '', iso: 0, aperture: '', taken: '2026-01-01' });
    await set('山水の月', { camera: '', iso: 0, aperture: '', taken: '2025-01-01' });
    assertWritten(await ann.post(`/api/photos/${ids['moving moon']}/like`));
    assertWritten(await bea.post(`/api/photos/${ids['Moonrise at sea']}/favorite`));
    const rotate = { action: 'rotate', params: { angle: 90 } };
    assertWritten(await bea.post(`/api/photos/${ids['moving moon']}/edit`, rotate));
  });
  after(() => gallery.close());

  const wide = () => createJpeg({ width: 40, height: 20 });
  const tall = () => createJpeg({ width: 20, height: 30 });
  const square = () =>
    sharp({ create: { width: 20, height: 20, channels: 3, background: '#a74' } })
      .png()
      .toBuffer();

  async function set(title: string, { camera, iso, aperture, taken }: Record<string, string | number>) {
    const { kysely } = gallery.deps.db;
    const optics =
      title === 'Moonrise at sea'
        ? { lens: 'RF24-70mm F2.8', focal_length: 50 }
        : { lens: '', focal_length: title === 'hidden moon' ? 4.25 : 0 };
    const taken_time = Date.parse(`${taken}T12:00:00Z`) / 1000;
    const exif = { camera: String(camera), iso: Number(iso), aperture: String(aperture), taken_time };
    await kysely
      .updateTable('photos')
      .set({ ...exif, ...optics })
      .where('id', '=', ids[title]!)
      .execute();
    const names = [{ name: exif.camera, name_key: exif.camera.toLowerCase() }];
    if (optics.lens !== '') names.push({ name: optics.lens, name_key: optics.lens.toLowerCase() });
    if (camera !== '') await kysely.insertInto('equipment_names').values(names).execute();
  }

  async function titles(who: Person, q: string, path = '/api/photos'): Promise<string[]> {
    const { list, pagination } = assertRead(await who.get(`${path}?q=${encodeURIComponent(q)}`));
    assert.equal(pagination.total, list.length, q);
    return list.map(({ title }: { title: string }) => title).sort();
  }

  const [moonrise, hidden, chinese, moving] = [
    'Moonrise at sea',
    'hidden moon',
    '山水の月',
    'moving moon',
  ] as const;

  test('q finds words, phrases and fields, and excludes negated conditions', async () => {
    const found: [string, string[]][] = [
      ['moon', [moonrise, hidden, chinese, moving]],
      ['MOON sea', [moonrise, hidden]],
      ['"moonrise AT"', [moonrise]],
      ['"at moonrise"', []],
      ['山水', [chinese]],
      ['100%', [chinese]],
      ["moon's", []],
      ['tag:sea', [moonrise, hidden]],
      ['tag:"new  york"', [moonrise]],
      ['tag:"NEW york"', [moonrise]],
      ['TAG:берег', [chinese]],
      ['-tag:sea moon', [chinese, moving]],
      ['moon -(tag:sea OR type:gif)', [chinese]],
      ['rise OR moving', [moonrise, moving]],
      ['moon (rise OR moving) -sea', [moving]],
      ['by:ANN', [moonrise, hidden]],
      ['by:noone', []],
      ['-by:noone -by:bea', [moonrise, hidden]],
      [`album:${album}`, [moonrise]],
      [`-album:${album}`, [hidden, chinese, moving]],
      ['album:999999', []],
      ['camera:canon', [moonrise]],
      ['camera:зенит', [hidden]],
      ['camera:"eos r"', [moonrise]],
      ['-camera:canon', [hidden, chinese, moving]],
      ['lens:"24-70MM"', [moonrise]],
      ['-lens:mm', [hidden, chinese, moving]],
      ['focal:35..85', [moonrise]],
      ['focal:4.25', [hidden]],
      ['-focal:<50', [moonrise, chinese, moving]],
      ['iso:>=800', [moonrise]],
      ['iso:800', [moonrise]],
      ['iso:>800', []],
      ['iso:<800', [hidden]],
      ['iso:100..800', [moonrise, hidden]],
      ['-iso:..400', [moonrise, chinese, moving]],
      ['aperture:<=2.8', [moonrise]],
      ['aperture:2.8', [moonrise]],
      ['aperture:>2.8', [hidden]],
      ['-aperture:>0', [chinese, moving]],
      ['taken:2024', [moonrise, hidden]],
      ['taken:2024-05', [moonrise]],
      ['taken:2024-05-17', [moonrise]],
      ['taken:2024-05-16', []],
      ['taken:2024-05..2024-08', [moonrise]],
      ['taken:2024-06..2025-01-01', [hidden, chinese]],
      ['taken:>2024 taken:<2026', [chinese]],
      ['taken:<=2024-05-17 -taken:<2024-05-17', [moonrise]],
      ['added:2001', []],
      ['added:>=2001', [moonrise, hidden, chinese, moving]],
      ['size:<1GB', [moonrise, hidden, chinese, moving]],
      ['size:>1.5MB', []],
      ['shape:landscape', [moonrise]],
      ['shape:panorama', [moonrise]],
      ['shape:portrait', [chinese, moving]],
      ['shape:portrait type:jpeg', [chinese]],
      ['shape:square', [hidden]],
      ['-shape:portrait -shape:landscape', [hidden]],
      ['type:jpg', [moonrise, chinese]],
      ['type:PNG', [hidden]],
      ['-type:jpeg', [hidden, moving]],
      ['is:animated', [moving]],
      ['is:edited', [moving]],
      ['-is:edited is:public', [moonrise, chinese]],
      ['is:private', [hidden]],
      ['-is:private', [moonrise, chinese, moving]],
    ];
    for (const [q, expected] of found) assert.deepEqual(await titles(ann, q), expected.sort(), q);
  });

  test("q obeys the caller: private photos, likes and favorites are the caller's own", async () => {
    assert.deepEqual(await titles(visitor, 'tag:sea'), [moonrise]);
    for (const who of [bea, admin]) assert.deepEqual(await titles(who, 'tag:sea'), [moonrise], who.name);
    assert.deepEqual(await titles(ann, 'tag:sea'), [moonrise, hidden].sort());
    for (const who of [visitor, bea, admin])
      assert.deepEqual(await titles(who, 'is:private OR camera:зенит'), []);
    assert.deepEqual(await titles(ann, 'is:private'), [hidden]);
    assert.deepEqual(await titles(ann, 'is:liked'), [moving]);
    assert.deepEqual(await titles(bea, 'is:favorite'), [moonrise]);
    for (const q of ['is:liked', 'is:favorite']) assert.deepEqual(await titles(visitor, q), []);
    assert.deepEqual(await titles(visitor, '-is:liked'), [moonrise, chinese, moving].sort());
  });

  test('finds photos for members for everyone who is signed in', async () => {
    assertDone(await ann.put(`/api/photos/${ids[hidden]}`, { visibility: 'members' }));
    for (const who of [ann, bea, admin]) {
      assert.deepEqual(await titles(who, 'tag:sea'), [moonrise, hidden].sort(), who.name);
      for (const q of ['is:members', 'hidden', '-is:public', 'camera:зенит', 'by:ann -is:public iso:<=100'])
        assert.deepEqual(await titles(who, q), [hidden], `${who.name} ${q}`);
      assert.deepEqual(await titles(who, 'is:private'), []);
    }
    for (const q of ['is:members', 'hidden', '-is:public', 'camera:зенит'])
      assert.deepEqual(await titles(visitor, q), [], q);
    assertDone(await ann.put(`/api/photos/${ids[hidden]}`, { visibility: 'private' }));
  });

  test('narrows every list of photos, beside its other filters', async () => {
    assert.deepEqual(await titles(ann, 'moon', `/api/users/${ann.id}/photos`), [moonrise, hidden].sort());
    assert.deepEqual(await titles(visitor, 'tag:sea', `/api/albums/${album}/photos`), [moonrise]);
    assert.deepEqual(await titles(visitor, '-tag:sea', `/api/albums/${album}/photos`), []);
    const { list } = assertRead(await visitor.get('/api/photos?q=moon&tag=sea&sort=title'));
    assert.deepEqual(
      list.map(({ title }: { title: string }) => title),
      [moonrise],
    );
    assert.deepEqual(await titles(bea, 'shape:landscape', `/api/users/${bea.id}/favorites`), [moonrise]);
    assert.deepEqual(await titles(bea, '-moonrise', `/api/users/${bea.id}/favorites`), []);
    assert.equal(assertRead(await visitor.get('/api/photos?q=%20')).pagination.total, 3);
  });

  test('an invalid q names the position of the error and the known fields', async () => {
    const places: [string, number, RegExp][] = [
      ['📷 山 tag:', 5, /tag: needs a value/],
      ['Tag：“”', 1, /Tag: needs a value/],
      ['“a b” ＩＳＯ：big', 7, /"big" is not a value such as/],
      ['iso:big', 1, /"big" is not a value such as/],
      ['iso:8.5', 1, /not a value such as/],
      ['iso:9..1', 1, /not a value such as/],
      ['iso:..', 1, /not a value such as/],
      ['taken:2024-02-30', 1, /not a value such as/],
      ['taken:2024-13', 1, /not a value such as/],
      ['size:3TB', 1, /not a value such as/],
      ['album:x', 1, /not an album id/],
      ['is:mine', 1, /not one of public, members, private/],
      ['type:svg', 1, /not one of jpeg/],
      ['('.repeat(11) + 'a' + ')'.repeat(11), 11, /deeper than 10/],
      ['a '.repeat(31).trim(), 61, /more than 30/],
      [`${'-('.repeat(6)}a${')'.repeat(6)}`, 11, /deeper than 10/],
    ];
    for (const [q, place, reason] of places) {
      const { status, body } = await visitor.get(`/api/photos?q=${encodeURIComponent(q)}&sort=nothing`);
      assert.equal(status, 400, q);
      assert.deepEqual(Object.keys(body.errors).sort(), ['q', 'sort'], q);
      const [message] = body.errors.q;
      assert.match(message, new RegExp(`character ${place}:`), q);
      assert.match(message, reason, q);
      assert.match(message, /Fields: tag, by, album, camera/, q);
    }
    const { status, body } = await visitor.get(`/api/photos?q=${'a'.repeat(501)}`);
    assert.deepEqual([status, Object.keys(body.errors)], [400, ['q']]);
  });

  test('q accepts words as long as a keyword, and treats repeated words like single words', async () => {
    const long = Array.from({ length: 12 }, (_, n) => `wort${n + 10}`)
      .join(' ')
      .slice(0, 88);
    const words = ['aaaaaaaaaa', '山'.repeat(10), 'hahahahahahahahaha', 'mississippi', long];
    for (const word of words) {
      const photo = await addPhoto(ann, { title: `x${word}y` });
      for (const q of [`"${word}"`, `"${word}y"`]) {
        const { list } = assertRead(await visitor.get(`/api/photos?q=${encodeURIComponent(q)}`));
        assert.deepEqual([list.length, list[0]?.id], [1, photo.id], q);
      }
      await ann.delete(`/api/photos/${photo.id}`);
    }
  });

  test('q treats text that looks like SQL or operators as text', async () => {
    const texts = [
      "' OR 1=1 --",
      '"; DROP TABLE photos',
      "tag:'x'",
      'camera:%',
      'camera:_',
      'by:"a\' OR \'1"',
      '*',
      '^',
      'NEAR',
    ];
    for (const text of texts) {
      const { status, body } = await admin.get(`/api/photos?q=${encodeURIComponent(text)}`);
      assert.ok(status === 400 || body.data.pagination.total === 0, `${text}: ${JSON.stringify(body)}`);
    }
    assert.equal((await titles(ann, 'moon')).length, 4);
  });

  test('q finds each image format by name and by extension', async () => {
    const cat = await register(gallery, 'cat');
    const kinds = { jpeg: 'jpg', png: 'png', gif: 'gif', webp: 'webp', avif: 'avif', tiff: 'tif' } as const;
    const blank = sharp({ create: { width: 20, height: 20, channels: 3, background: '#47a' } });
    for (const [kind, extension] of Object.entries(kinds)) {
      const picture = await blank.toFormat(kind as keyof typeof kinds).toBuffer();
      const { id } = await addPhoto(cat, { title: kind }, picture);
      for (const name of [kind, extension]) {
        const { list } = assertRead(
          await cat.get(`/api/photos?q=${encodeURIComponent(`by:cat type:${name}`)}`),
        );
        assert.deepEqual(
          list.map((photo: { id: number }) => photo.id),
          [id],
          name,
        );
      }
    }
  });
});
