/** Tests selected photos as ZIP, by a link that a browser can open. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { signedIn } from '../../contract/steps/rights.ts';
import { testRights } from '../../contract/steps/rights-walk.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  addPhoto,
  asVisitor,
  createPerson,
  disableAccount,
  logIn,
  type Person,
  password,
  register,
  registerAdmin,
} from '../../support/people.ts';
import { createJpegWithExif } from '../../support/pictures.ts';
import { unzip } from '../../support/zip.ts';

describe('an archive of chosen photos', () => {
  let gallery: Gallery;
  let ann: Person;
  let bea: Person;
  let file: Buffer;
  const ids: Record<string, number> = {};

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    bea = await register(gallery, 'bea');
    file = await createJpegWithExif();
    for (const [title, is_public] of [
      ['one', '1'],
      ['two', '1'],
      ['hidden', '0'],
    ] as const) {
      ids[title] = (await addPhoto(ann, { title, is_public, tags: 'alps' }, file)).id;
    }
    ids.same = (await addPhoto(bea, { title: 'one', tags: 'sea' }, file)).id;
  });
  after(() => gallery?.close());

  const make = async (who: Person, body: object) =>
    assertWritten(await who.post('/api/photos/archive', body));
  /** Opens the link without a token, like a browser. */
  const follow = ({ url }: { url: string }) => {
    assert.ok(url.startsWith(`${gallery.url}/api/photos/archive/`), url);
    return asVisitor(gallery).get(new URL(url).pathname);
  };
  const namesIn = async (made: { url: string }) => {
    const answer = await follow(made);
    assert.equal(answer.status, 200, answer.bytes.toString('utf8', 0, 200));
    return [...(await unzip(answer.bytes)).files.keys()];
  };

  test('the ZIP of a selection contains the photos in the given order, each once with its own name', async () => {
    const made = await make(ann, { ids: [ids.same, ids.hidden, ids.one, ids.same] });
    assert.deepEqual(Object.keys(made), ['url', 'expires_in']);
    assert.equal(made.expires_in, 300);
    const answer = await follow(made);
    assert.equal(answer.headers.get('content-type'), 'application/zip');
    assert.match(answer.headers.get('content-disposition')!, /^attachment; filename="?photos\.zip/);
    assert.equal(answer.headers.get('cache-control'), 'private, no-store');
    const { files } = await unzip(answer.bytes);
    assert.deepEqual([...files.keys()], ['one.jpg', 'hidden.jpg', 'one (2).jpg']);
    assert.deepEqual(files.get('hidden.jpg'), file, 'its owner gets what was uploaded');
    assert.ok(!files.get('one.jpg')!.includes('SERIAL-12345'), 'of others a copy without metadata');
  });

  test('the ZIP of a selection contains only photos that its creator can see', async () => {
    assert.deepEqual(await namesIn(await make(bea, { ids: [ids.hidden, ids.one, 999_999] })), ['one.jpg']);
    const made = await make(bea, { ids: [ids.one, ids.two] });
    await ann.put(`/api/photos/${ids.two}`, { is_public: 0 });
    assert.deepEqual(await namesIn(made), ['one.jpg']);
    await ann.put(`/api/photos/${ids.two}`, { visibility: 'members' });
    assert.deepEqual(await namesIn(made), ['one.jpg', 'two.jpg'], 'the link gives what its maker sees');
    await ann.put(`/api/photos/${ids.two}`, { is_public: 1 });

    const own = await make(ann, { ids: [ids.one, ids.two] });
    await ann.delete(`/api/photos/${ids.two}`);
    for (const each of [own, made])
      assert.deepEqual(await namesIn(each), ['one.jpg'], 'nothing of the trash');
    await ann.post(`/api/photos/${ids.two}/restore`);

    const dan = await register(gallery, 'dan');
    const { id } = await addPhoto(dan, { title: 'of somebody who leaves' });
    const ofDan = await make(bea, { ids: [id, ids.one] });
    await disableAccount(gallery, dan);
    assert.deepEqual(await namesIn(ofDan), ['one.jpg']);
  });

  test("the ZIP of a query's selection contains the photos that the query finds, the latest first", async () => {
    assert.deepEqual(await namesIn(await make(ann, { q: 'tag:alps' })), ['hidden.jpg', 'two.jpg', 'one.jpg']);
    assert.deepEqual(await namesIn(await make(bea, { q: 'tag:alps' })), ['two.jpg', 'one.jpg']);
    assert.deepEqual(await namesIn(await make(bea, { q: 'tag:nothing' })), []);
    const previews = await make(ann, { q: 'tag:alps', kind: 'preview' });
    assert.equal((await namesIn(previews)).length, 3);
  });

  test('the ZIP of a selection counts downloads of originals', async () => {
    const downloads = async () => {
      await gallery.deps.db.counters.flush();
      return assertRead(await ann.get(`/api/photos/${ids.one}`)).downloads;
    };
    const before = await downloads();
    await namesIn(await make(bea, { ids: [ids.one] }));
    await namesIn(await make(bea, { ids: [ids.one], kind: 'preview' }));
    assert.equal(await downloads(), before + 1);
  });

  test('a selection expires after five minutes, or when its creator can no longer sign in', async () => {
    const made = await make(ann, { ids: [ids.one] });
    gallery.travel(200);
    assert.equal((await follow(made)).status, 200);
    gallery.travel(101);
    assertRefused(await follow(made), 404, 404);
    assertRefused(await asVisitor(gallery).get(`/api/photos/archive/${'A'.repeat(43)}`), 404, 404);

    const cat = await register(gallery, 'cat');
    const theirs = await make(cat, { ids: [ids.one] });
    await disableAccount(gallery, cat);
    assertRefused(await follow(theirs), 404, 404);
  });

  test('stores a limited number of selections for each person', async () => {
    const first = await make(ann, { ids: [ids.one] });
    for (let n = 0; n < 20; n++) {
      gallery.travel(2);
      await make(ann, { ids: [ids.one] });
    }
    assertRefused(await follow(first), 404, 404);
    const { length } = await gallery.deps.db.kysely.selectFrom('selections').select('user_id').execute();
    assert.ok(length <= 21, String(length));
  });

  test('a selection ends with the session or the API key that created it, and with no other', async () => {
    const eva = await register(gallery, 'eva');
    const admin = await registerAdmin(gallery, 'chief');
    const ends = [
      (session: Person) => session.post('/api/auth/logout'),
      () => eva.put('/api/auth/password', { old_password: password, new_password: password }),
      () => admin.delete(`/api/admin/users/${eva.id}/sessions`),
    ];
    for (const end of ends) {
      const session = await logIn(gallery, eva);
      const made = await make(session, { ids: [ids.one] });
      assert.equal((await follow(made)).status, 200);
      assert.equal((await end(session)).status, 200);
      assertRefused(await session.get('/api/auth/user'), 401, 10006);
      assertRefused(await follow(made), 404, 404);
    }
    const session = await logIn(gallery, eva);
    const wanted = { name: 'phone', scopes: ['read', 'write'] };
    const { id, token } = assertWritten(await session.post('/api/auth/tokens', wanted));
    const byKey = await make(createPerson(gallery, 'phone', token, eva.id), { ids: [ids.one] });
    const bySession = await make(session, { ids: [ids.one] });
    assert.equal((await follow(byKey)).status, 200);
    assertDone(await session.delete(`/api/auth/tokens/${id}`));
    assertRefused(await follow(byKey), 404, 404);
    assert.equal((await follow(bySession)).status, 200);
  });

  test('a selection requires ids or a query', async () => {
    const refused = async (body: object, ...fields: string[]) =>
      assertRefused(await ann.post('/api/photos/archive', body), 400, 400, fields);
    await refused({}, 'ids', 'q');
    await refused({ ids: [ids.one], q: 'alps' }, 'ids', 'q');
    await refused({ ids: [] }, 'ids');
    await refused({ ids: Array.from({ length: 1001 }, (_, n) => n + 1) }, 'ids');
    await refused({ q: 'iso:abc' }, 'q');
    await refused({ ids: [ids.one], kind: 'raw' }, 'kind');
    assertRefused(await ann.get('/api/photos/archive'), 405, 405);
    assert.deepEqual(gallery.complaints(), []);
  });
});

testRights([
  {
    endpoint: 'POST /api/photos/archive',
    codes: signedIn,
    ask: (who, { photo }) => who.post('/api/photos/archive', { ids: [photo] }),
  },
  {
    endpoint: 'GET /api/photos/archive/{token}',
    codes: [404, 404, 404, 404, 404],
    ask: (who) => who.get(`/api/photos/archive/${'A'.repeat(43)}`),
  },
]);
