/** Tests how an owner corrects date, place, rating and texts of photos, and takes corrections back. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { createPhoto, createXmp, createXmpList } from '../../support/photo-metadata.ts';

describe('corrections', () => {
  let gallery: Gallery;
  let owner: Person;
  let stranger: Person;
  let admin: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    stranger = await register(gallery, 'stranger');
    admin = await registerAdmin(gallery, 'admin');
  });
  after(() => gallery.close());

  const detail = async (id: number, who = owner) => assertRead(await who.get(`/api/photos/${id}`));
  const update = (id: number, body: unknown, who = owner) => who.put(`/api/photos/${id}`, body);
  const change = async (id: number, body: unknown) => assertDone(await update(id, body));
  const batch = async (body: object, who = owner) => assertWritten(await who.post('/api/photos/batch', body));
  const find = async (query: string, who = owner) =>
    assertRead(await who.get(`/api/photos?${query}`)).list.map(({ id }: { id: number }) => id);

  const exifPlace = {
    GPSLatitudeRef: 'N',
    GPSLatitude: '46/1 1/1 1452/100',
    GPSLongitudeRef: 'E',
    GPSLongitude: '7/1 44/1 5676/100',
  };
  const filePlace = { latitude: 46.0207, longitude: 7.7491 };

  /** Uploads a photo whose file says everything. */
  async function uploadFull(fields: Record<string, string> = {}): Promise<number> {
    const texts =
      createXmpList('dc:title', ['Ridge'], 'Alt') +
      createXmpList('dc:description', ['A ridge'], 'Alt') +
      createXmpList('dc:subject', ['alps', 'snow']);
    const file = await createPhoto({
      IFD2: { DateTimeOriginal: '2024:01:01 08:30:00', OffsetTimeOriginal: '+09:00' },
      IFD3: exifPlace,
      xmp: createXmp('xmp:Rating="4"', texts),
    });
    return assertWritten(await owner.upload(file, fields)).id;
  }

  test('reads the rating of a file, and shows it to the owner and admins alone', async () => {
    const id = await uploadFull();
    for (const who of [owner, admin]) {
      const { rating, location, file } = await detail(id, who);
      assert.deepEqual({ rating, location, file }, { rating: 4, location: filePlace, file: {} });
    }
    for (const who of [stranger, asVisitor(gallery)]) {
      const photo = await detail(id, who);
      for (const name of ['rating', 'location', 'file', 'file_name']) assert.ok(!(name in photo), name);
    }
  });

  test('keeps a correction beside the value of the file, and takes it back', async () => {
    const id = await uploadFull();
    const corrections: [field: string, value: unknown, ofFile: unknown][] = [
      ['taken_time', '1999-12-31 23:59:59', '2024-01-01 08:30:00'],
      ['taken_time', '1000-01-01 00:00:00', '2024-01-01 08:30:00'],
      ['taken_time', '9999-12-31 23:59:59', '2024-01-01 08:30:00'],
      ['taken_time', '1970-01-01 00:00:00', '2024-01-01 08:30:00'],
      ['location', { latitude: -33.8569444, longitude: 151.2111083 }, filePlace],
      ['location', { latitude: 0, longitude: 0 }, filePlace],
      ['location', { latitude: -90, longitude: 180 }, filePlace],
      ['location', null, filePlace],
      ['rating', 1, 4],
      ['rating', 0, 4],
      ['title', 'Crest', 'Ridge'],
      ['title', '', 'Ridge'],
      ['description', '', 'A ridge'],
      ['tags', [], ['alps', 'snow']],
      ['tags', ['snow', 'alps'], ['alps', 'snow']],
    ];
    for (const [field, value, ofFile] of corrections) {
      await change(id, { [field]: value });
      const photo = await detail(id);
      assert.deepEqual([photo[field], photo.file], [value, { [field]: ofFile }]);
      await change(id, { from_file: [field] });
      const after = await detail(id);
      assert.deepEqual([after[field], after.file], [ofFile, {}]);
    }
  });

  test('corrects nothing when a client writes back what it has read', async () => {
    const id = await uploadFull();
    const { taken_time, location, rating, title, description, tags } = await detail(id);
    await change(id, { taken_time, location, rating, title, description, tags });
    assert.deepEqual((await detail(id)).file, {});
    await change(id, { rating: 5 });
    await change(id, { rating: 4 });
    assert.deepEqual((await detail(id)).file, {}, 'the value of the file is no correction');
  });

  test('offers the texts of a file where the client sent others', async () => {
    const id = await uploadFull({ title: 'Mine' });
    assert.deepEqual((await detail(id)).file, { title: 'Ridge' });
    await change(id, { from_file: ['title', 'description'] });
    assert.equal((await detail(id)).title, 'Ridge');
    assert.deepEqual(await find('keyword=ridge&user_id=1'), await find(`q=ridge&user_id=1`));
    assert.ok((await find('keyword=ridge')).includes(id));
    await change(id, { from_file: ['tags'], title: 'Again' });
    assert.ok((await find('tag=snow')).includes(id));
  });

  test('a photo without metadata gets the time of its upload back', async () => {
    const { id } = assertWritten(await owner.upload(await createPhoto()));
    const { create_time } = await detail(id);
    await change(id, { taken_time: '2001-02-03 04:05:06', location: filePlace, rating: 2, title: 'T' });
    assert.deepEqual((await detail(id)).file, { taken_time: null, location: null, rating: 0 });
    await change(id, { from_file: ['taken_time', 'location', 'rating', 'title'] });
    const { taken_time, location, rating, title, file } = await detail(id);
    assert.deepEqual([taken_time, location, rating, title, file], [create_time, null, 0, '', {}]);
  });

  test('refuses values that are no date, place or rating', async () => {
    const id = await uploadFull();
    const refused: [body: object, field: string][] = [
      [{ taken_time: '2024-02-30 10:00:00' }, 'taken_time'],
      [{ taken_time: '2024-02-03T10:00:00' }, 'taken_time'],
      [{ taken_time: '0000-00-00 00:00:00' }, 'taken_time'],
      [{ taken_time: null }, 'taken_time'],
      [{ taken_time: 1_700_000_000 }, 'taken_time'],
      [{ location: { latitude: 91, longitude: 0 } }, 'location.latitude'],
      [{ location: { latitude: 1 } }, 'location.longitude'],
      [{ location: '46, 7' }, 'location'],
      [{ rating: 6 }, 'rating'],
      [{ rating: -1 }, 'rating'],
      [{ rating: 2.5 }, 'rating'],
      [{ rating: '4' }, 'rating'],
      [{ from_file: ['camera'] }, 'from_file.0'],
      [{ from_file: ['title', 'title'] }, 'from_file'],
      [{ from_file: ['rating'], rating: 3 }, 'from_file'],
    ];
    for (const [body, field] of refused) {
      const answer = await update(id, body);
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.ok(Object.keys(answer.body.errors).includes(field), JSON.stringify(answer.body));
    }
    assert.deepEqual((await detail(id)).file, {});
    assertRefused(await update(id, { rating: 5 }, stranger), 403, 20004);
    assertRefused(await update(id, { from_file: ['title'] }, stranger), 403, 20004);
    assertRefused(await update(9999, { rating: 5 }), 404, 20003);
  });

  test('timeline, months, searches and the order follow a corrected date', async () => {
    const id = await uploadFull();
    const months = async () => assertRead(await owner.get('/api/timeline?user_id=1')) as unknown;
    const before = JSON.stringify(await months());
    await change(id, { taken_time: '1888-08-08 08:08:08' });
    assert.deepEqual(await find('q=taken:1888-08'), [id]);
    assert.match(JSON.stringify(await months()), /1888-08/);
    assert.equal((await find('sort=taken_time&order=asc'))[0], id);
    assert.equal((await find(`sort=taken_time&order=asc&around=${id}`))[0], id);
    await change(id, { from_file: ['taken_time'] });
    assert.equal(JSON.stringify(await months()), before);
  });

  test('a batch sets and shifts dates, places and ratings', async () => {
    const ids = [await uploadFull(), await uploadFull()];
    const undated = assertWritten(await owner.upload(await createPhoto())).id;
    const theirs = (await addPhoto(stranger, { title: 'theirs' })).id;
    const read = async (name: string) => Promise.all(ids.map(async (id) => (await detail(id))[name]));

    await batch({ ids: [ids[0]], action: 'date', taken_time: '2020-02-29 12:00:00' });
    const shifted = await batch({ ids: [...ids, undated, theirs], action: 'date', shift: 86_399 });
    assert.deepEqual(shifted.success, ids);
    assert.deepEqual(
      shifted.failed.map(({ id, code }: { id: number; code: number }) => [id, code]),
      [
        [undated, 400],
        [theirs, 20004],
      ],
    );
    assert.deepEqual(await read('taken_time'), ['2020-03-01 11:59:59', '2024-01-02 08:29:59']);
    assert.deepEqual((await detail(ids[1]!)).file, { taken_time: '2024-01-01 08:30:00' });
    await batch({ ids: [ids[0]], action: 'date', taken_time: '9999-12-31 23:59:59' });
    const late = await batch({ ids, action: 'date', shift: 1 });
    assert.deepEqual([late.success, late.failed[0].code], [[ids[1]], 400]);

    await batch({ ids, action: 'place', location: { latitude: 1.5, longitude: -0 } });
    assert.deepEqual(
      await read('location'),
      ids.map(() => ({ latitude: 1.5, longitude: 0 })),
    );
    await batch({ ids, action: 'place', location: null });
    assert.deepEqual(await read('location'), [null, null]);
    await batch({ ids, action: 'rate', rating: 5 });
    assert.deepEqual(await read('rating'), [5, 5]);
    await batch({ ids, action: 'rate', rating: null });
    assert.deepEqual(await read('rating'), [0, 0]);
    for (const [body, fields] of [
      [{ action: 'date' }, ['shift', 'taken_time']],
      [{ action: 'date', shift: 1, taken_time: '2020-02-29 12:00:00' }, ['shift', 'taken_time']],
      [{ action: 'date', shift: 1.5 }, ['shift']],
      [{ action: 'date', shift: 1e12 }, ['shift']],
      [{ action: 'place' }, ['location']],
      [{ action: 'rate' }, ['rating']],
      [{ action: 'rate', rating: 9 }, ['rating']],
    ] as const) {
      const answer = await owner.post('/api/photos/batch', { ids, ...body });
      assert.equal(answer.status, 400);
      assert.deepEqual(Object.keys(answer.body.errors).sort(), fields);
    }
  });

  test('filters and sorts by rating for the owner and admins, and tells others nothing', async () => {
    const owner = await register(gallery, 'rater');
    const ids: number[] = [];
    for (const rating of [2, 5, 0, 4]) {
      const { id } = await addPhoto(owner, { title: `r${rating}` });
      assertDone(await owner.put(`/api/photos/${id}`, { rating }));
      ids.push(id);
    }
    const [two, five, none, four] = ids as [number, number, number, number];
    const mine = `user_id=${owner.id}`;
    const queries: [query: string, found: number[]][] = [
      ['rating:5', [five]],
      ['rating:>=4', [four, five]],
      ['rating:2..4', [four, two]],
      ['rating:0', [none]],
      ['rating:<3', [none, two]],
      ['-rating:>=4', [none, two]],
      ['rating:5 OR rating:2', [five, two]],
      ['r rating:5', [five]],
    ];
    for (const [query, found] of queries) {
      const asked = `${mine}&q=${encodeURIComponent(query)}`;
      assert.deepEqual(
        await find(asked, owner),
        found.toSorted((a, b) => b - a),
        query,
      );
      assert.deepEqual(
        await find(asked, admin),
        found.toSorted((a, b) => b - a),
        query,
      );
      const seen = query === '-rating:>=4' ? [four, none, five, two] : [];
      for (const who of [stranger, asVisitor(gallery)]) assert.deepEqual(await find(asked, who), seen, query);
    }
    const newestFirst = [four, none, five, two];
    assert.deepEqual(await find(`${mine}&sort=rating`, owner), [five, four, two, none]);
    assert.deepEqual(await find(`${mine}&sort=rating&order=asc`, owner), [none, two, four, five]);
    assert.deepEqual(await find(`${mine}&sort=rating&limit=2&page=2`, owner), [two, none]);
    assert.deepEqual(await find(`${mine}&sort=rating&around=${two}&limit=2`, owner), [two, none]);
    assert.deepEqual(await find(`${mine}&sort=rating`, admin), [five, four, two, none]);
    for (const who of [stranger, asVisitor(gallery)]) {
      assert.deepEqual(await find(`${mine}&sort=rating`, who), newestFirst);
      assert.deepEqual(await find('sort=rating&limit=4', who), newestFirst);
    }
    assert.deepEqual(await find('sort=rating&limit=4', owner), newestFirst);
    const album = assertWritten(await owner.post('/api/albums', { name: 'A' })).id;
    assertWritten(await owner.post(`/api/albums/${album}/photos`, { ids }));
    const inAlbum = async (who: Person) =>
      assertRead(await who.get(`/api/albums/${album}/photos?sort=rating`)).list.map(
        ({ id }: { id: number }) => id,
      );
    assert.deepEqual(await inAlbum(owner), [five, four, two, none]);
    assert.deepEqual(await inAlbum(stranger), newestFirst);
    assertRefused(await owner.get('/api/photos?q=rating:good'), 400, 400, ['q']);
  });
});
