/** Tests the job that reads stored photos again after an upgrade. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Updateable } from 'kysely';
import { countPhotosToRead } from '../../../server/gallery/photos/reread/reread.ts';
import { rereadPhotos } from '../../../server/gallery/photos/reread/run.ts';
import type { PhotosTable } from '../../../server/platform/db/tables.ts';
import { assertDone, assertRead, assertWritten } from '../../support/assert-answers.ts';
import { assertTotalsMatchRows } from '../../support/assert-totals.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { type Person, register } from '../../support/people.ts';
import { createPhoto, createXmp, createXmpList } from '../../support/photo-metadata.ts';

const wallClock = '2024-01-01 08:30:00';
/** The time in UTC that earlier versions stored for the same photo. */
const inUtc = Date.UTC(2023, 11, 31, 23, 30) / 1000;

describe('reading stored photos again', () => {
  let gallery: Gallery;
  let owner: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
  });
  beforeEach(() => gallery.travel(3600));
  after(() => gallery.close());

  const detail = async (id: number) => assertRead(await owner.get(`/api/photos/${id}`));

  /** Uploads a photo with metadata, and gives its rows the state of an earlier version. */
  async function uploadOld(
    row: Updateable<PhotosTable>,
    fields: Record<string, string> = {},
    xmpTitle = 'Ridge',
  ): Promise<number> {
    const texts =
      createXmpList('dc:title', [xmpTitle], 'Alt') +
      createXmpList('dc:description', ['A ridge'], 'Alt') +
      createXmpList('dc:subject', ['alps', 'snow']);
    const file = await createPhoto({
      IFD0: { Make: 'Acme', Model: 'One' },
      IFD2: { DateTimeOriginal: '2024:01:01 08:30:00', OffsetTimeOriginal: '+09:00' },
      xmp: createXmp('xmp:Rating="4" exif:GPSLatitude="46,1.242N" exif:GPSLongitude="7,44.946E"', texts),
    });
    const typed = { title: 'x', description: 'x', tags: 'x', ...fields };
    const { id } = assertWritten(await owner.upload(file, typed, 'DSC_1.jpg'));
    const { kysely } = gallery.deps.db;
    const old = { title: '', description: '', rating: 0, latitude: null, longitude: null, lens: '' };
    assertDone(await owner.put(`/api/photos/${id}`, { title: '', description: '', tags: [] }));
    await kysely
      .updateTable('photos')
      .set({ ...old, ...row })
      .where('id', '=', id)
      .execute();
    await kysely
      .updateTable('photo_metadata')
      .set({
        reader: 0,
        corrected: '[]',
        taken_time: null,
        title: '',
        description: '',
        tags: '[]',
        rating: 0,
      })
      .where('photo_id', '=', id)
      .execute();
    return id;
  }

  async function rereadAll() {
    const counts = { read: 0, passedOver: 0 };
    gallery.travel(60);
    await rereadPhotos(gallery.deps, counts);
    return counts;
  }

  test('moves a date in UTC to the wall clock, and fills place, rating and the texts of a private photo', async () => {
    const id = await uploadOld({ taken_time: inUtc }, { visibility: 'private' });
    await rereadAll();
    const photo = await detail(id);
    assert.equal(photo.taken_time, wallClock);
    assert.deepEqual(photo.location, { latitude: 46.0207, longitude: 7.7491 });
    assert.equal(photo.rating, 4);
    assert.deepEqual([photo.title, photo.description, photo.tags], ['Ridge', 'A ridge', ['alps', 'snow']]);
    assert.deepEqual(photo.file, {});
    const { list } = assertRead(await owner.get('/api/photos?user_id=1&q=taken:2024-01-01 tag:snow ridge'));
    assert.deepEqual(
      list.map((one: { id: number }) => one.id),
      [id],
    );
    await assertTotalsMatchRows(gallery);
  });

  test('shows nobody the texts of a file, and offers them to the owner', async () => {
    const shown = await uploadOld({ taken_time: inUtc });
    const forMembers = await uploadOld({ taken_time: inUtc }, { visibility: 'members' });
    const shared = await uploadOld({ taken_time: inUtc }, { visibility: 'private' });
    assertWritten(await owner.post(`/api/photos/${shared}/share`, { type: 'link' }));
    await rereadAll();
    for (const id of [shown, forMembers, shared]) {
      const { title, description, tags, file, taken_time } = await detail(id);
      assert.deepEqual([title, description, tags, taken_time], ['', '', [], wallClock]);
      assert.deepEqual(file, { title: 'Ridge', description: 'A ridge', tags: ['alps', 'snow'] });
    }
  });

  test('keeps corrections, and typed texts', async () => {
    const id = await uploadOld({ taken_time: inUtc, title: 'Typed' }, { visibility: 'private' });
    const cleared = await uploadOld({ taken_time: inUtc, description: 'Old' }, { visibility: 'private' });
    assertDone(
      await owner.put(`/api/photos/${id}`, {
        taken_time: '2001-02-03 04:05:06',
        location: { latitude: 1, longitude: 2 },
        rating: 1,
      }),
    );
    assertDone(await owner.put(`/api/photos/${cleared}`, { description: '' }));
    await rereadAll();
    const photo = await detail(id);
    assert.equal(photo.taken_time, '2001-02-03 04:05:06');
    assert.deepEqual([photo.location, photo.rating], [{ latitude: 1, longitude: 2 }, 1]);
    assert.deepEqual([photo.title, photo.description], ['Typed', 'A ridge']);
    assert.equal(photo.file.taken_time, wallClock);
    assert.deepEqual((await detail(cleared)).description, '', 'the owner emptied it');
  });

  test('decides between a stored date and the date of the file', async () => {
    const uploaded = await uploadOld({});
    const { create_time } = await detail(uploaded);
    const stored: [seconds: number, date: string][] = [
      // The time of upload, and times in UTC of zones from -11:00 to +14:00.
      [Date.parse(`${create_time}Z`) / 1000, wallClock],
      [inUtc - 5 * 3600, wallClock],
      [inUtc + 9 * 3600, wallClock],
      [inUtc + (9 + 11) * 3600, wallClock],
      [inUtc + 3.25 * 3600, wallClock],
      // Dates of files beside the photo, such as those of Takeout.
      [inUtc + 60, '2023-12-31 23:31:00'],
      [inUtc - 86_400, '2023-12-30 23:30:00'],
      [Date.UTC(2010, 0) / 1000, '2010-01-01 00:00:00'],
      [0, '1970-01-01 00:00:00'],
    ];
    const ids: number[] = [];
    for (const [taken_time] of stored) {
      const id = await uploadOld({});
      const { create_time } = await detail(id);
      const isUpload = taken_time === stored[0]![0];
      const time = isUpload ? Date.parse(`${create_time}Z`) / 1000 : taken_time;
      await gallery.deps.db.kysely
        .updateTable('photos')
        .set({ taken_time: time })
        .where('id', '=', id)
        .execute();
      ids.push(id);
    }
    await rereadAll();
    for (const [at, [, date]] of stored.entries()) assert.equal((await detail(ids[at]!)).taken_time, date);
    // A later reader finds the same.
    await gallery.deps.db.kysely.updateTable('photo_metadata').set({ reader: 0 }).execute();
    await rereadAll();
    for (const [at, [, date]] of stored.entries()) assert.equal((await detail(ids[at]!)).taken_time, date);
  });

  test('passes over photos whose original is missing or damaged, and counts them', async () => {
    const [missing, damaged, good] = [await uploadOld({}), await uploadOld({}), await uploadOld({})];
    for (const id of [missing, damaged]) {
      const { original_key } = await gallery.deps.db.kysely
        .selectFrom('photos')
        .select('original_key')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const name = `${original_key}.original.jpg`;
      await gallery.deps.storage.remove(name);
      const source = Buffer.from('no picture');
      if (id === damaged) await gallery.deps.storage.put([{ name, source }]);
    }
    assert.equal(await countPhotosToRead(gallery.deps), 3);
    assert.deepEqual(await rereadAll(), { read: 1, passedOver: 2 });
    assert.equal((await detail(good)).taken_time, wallClock);
    assert.equal((await detail(missing)).title, '');
    assert.equal(await countPhotosToRead(gallery.deps), 0);
  });

  test('stops between two photos, goes on with the rest, and leaves the work to one process', async () => {
    for (let n = 0; n < 3; n++) await uploadOld({});
    gallery.travel(60);
    const stopping = new AbortController();
    const counts = {
      passedOver: 0,
      done: 0,
      get read() {
        return this.done;
      },
      set read(n: number) {
        this.done = n;
        stopping.abort();
      },
    };
    await rereadPhotos(gallery.deps, counts, stopping.signal);
    assert.equal(await countPhotosToRead(gallery.deps), 2);
    const other = { read: 0, passedOver: 0 };
    await rereadPhotos(gallery.deps, other);
    assert.equal(other.read, 0, 'another process has the lease');
    assert.equal((await rereadAll()).read, 2);
  });
});
