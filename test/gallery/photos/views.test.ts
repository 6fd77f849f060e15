/** Tests that views can be read while they are written: each view counts at most once. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertRead } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, password, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { createRandom } from '../../support/random.ts';
import { addBlank } from './blank-photos.ts';

describe('views that are being written', () => {
  let gallery: Gallery;
  let owner: Person;
  let id: number;
  /** Number of views so far. */
  let n = 0;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    id = (await owner.upload(await createJpeg())).body.data.id;
  });
  after(() => gallery?.close());

  const counters = () => gallery.deps.db.counters;

  /** Views a photo once. A view that is being committed may not count yet, but no view may count twice. */
  async function view(): Promise<void> {
    const { status, body } = await asVisitor(gallery).get(`/api/photos/${id}`);
    assert.equal(status, 200);
    assert.ok(body.data.views >= 1 && body.data.views <= ++n, `${body.data.views} of ${n} views`);
  }

  async function readViews(photo: number): Promise<number> {
    const found = await gallery.deps.db.kysely
      .selectFrom('photo_views')
      .select('views')
      .where('photo_id', '=', photo)
      .executeTakeFirstOrThrow();
    return found.views;
  }

  test('owners who look at their photos in a browser count no view, and others do', async () => {
    const { id } = await addPhoto(owner, { title: 'Looked at' });
    const stranger = await register(gallery, 'stranger');
    const signIn = async ({ name }: Person) => {
      const { headers } = await asVisitor(gallery).send('POST', '/api/auth/login', {
        headers: { 'content-type': 'application/json', origin: gallery.url },
        body: JSON.stringify({ username: name, password, cookie: true }),
      });
      return { cookie: headers.get('set-cookie')!.split(';')[0]!, 'sec-fetch-site': 'same-origin' };
    };
    const look = async (headers: Record<string, string>) =>
      assertRead(await asVisitor(gallery).get(`/api/photos/${id}`, headers)).views;
    const [own, other] = [await signIn(owner), await signIn(stranger)];
    assert.equal(await look(own), 0);
    assert.equal(await look(other), 1);
    await counters().flush();
    assert.equal(await look(own), 1);
  });

  test('shows counted views while their row is locked', async () => {
    await view();
    const flushing = await gallery.deps.db.kysely.transaction().execute(async (transaction) => {
      await transaction
        .selectFrom('photo_views')
        .select('photo_id')
        .where('photo_id', '=', id)
        .forUpdate()
        .execute();
      const flushing = counters().flush();
      await view();
      const { body } = await asVisitor(gallery).get(`/api/photos/${id}`);
      assert.equal(body.data.views, ++n);
      return { flushing };
    });
    await flushing.flushing;
    await counters().flush();
    assert.equal(await readViews(id), n);
  });

  test('shows each counted view once, whenever a write begins', async () => {
    for (let round = 0; round < 40; round++) {
      await view();
      const flushing = counters().flush();
      await view();
      await view();
      if (round % 3 === 0) await flushing;
    }
    await counters().flush();
    assert.equal(await readViews(id), n);
    await view();
    const { body } = await asVisitor(gallery).get(`/api/photos/${id}`);
    assert.equal(body.data.views, ++n);
  });

  test('writes the views of many photos exactly, also when fewer photos follow', async () => {
    const { kysely } = gallery.deps.db;
    const ids: number[] = [];
    for (let photo = 0; photo < 90; photo++) ids.push(await addBlank(gallery, owner.id, createRandom(photo)));
    const readViews = async () =>
      new Map(
        (await kysely.selectFrom('photo_views').selectAll().orderBy('photo_id').execute()).map((row) => [
          row.photo_id,
          row.views,
        ]),
      );
    await counters().flush();
    const expected = await readViews();
    for (const many of [90, 3, 70, 1, 17]) {
      for (const [place, photo] of ids.slice(0, many).entries()) {
        const times = 1 + (place % 3);
        for (let time = 0; time < times; time++) counters().count('photoViews', photo);
        expected.set(photo, expected.get(photo)! + times);
      }
      await counters().flush();
      assert.deepEqual(await readViews(), expected, `${many} photos`);
    }
  });
});
