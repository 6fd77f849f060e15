import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { chargedBytes } from '../../../server/gallery/photos/upload/quota.ts';
import { runMaintenance } from '../../../server/tools/maintenance/maintenance.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { countHoldings } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  addAlbum,
  asVisitor,
  createPerson,
  type Person,
  register,
  registerAdmin,
} from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import {
  createUpload,
  deleteUpload,
  hashSha256,
  readOffset,
  readUploadHead,
  sendChunk,
  startUpload,
  tusHeader,
} from '../../support/uploads.ts';

describe('a resumable upload', () => {
  let gallery: Gallery;
  let owner: Person;
  let stranger: Person;
  let picture: Buffer;

  before(async () => {
    gallery = await startGallery({ maxUploadBytes: 16 * 1024 * 1024 });
    owner = await register(gallery, 'owner');
    stranger = await register(gallery, 'stranger');
    picture = await createJpeg({ width: 900, height: 600 });
  });
  after(() => gallery.close());

  test('becomes a photo with its last byte, however many requests bring the bytes', async () => {
    const album = await addAlbum(owner, 'Alps');
    const fields = {
      filename: 'DSC_0042.JPG',
      title: 'Ridge',
      tags: 'alps, snow',
      album_id: String(album),
      is_public: '0',
    };
    const created = await createUpload(owner, picture.length, fields);
    assert.equal(created.status, 201);
    assert.equal(created.headers.get('tus-resumable'), '1.0.0');
    assert.ok(Date.parse(created.headers.get('upload-expires')!) > Date.now());
    const path = created.headers.get('location')!;
    assert.match(path, /^\/api\/uploads\/[0-9a-f]{32}$/);
    const first = await sendChunk(owner, path, 0, picture.subarray(0, 1000));
    assert.deepEqual([first.status, first.headers.get('upload-offset')], [204, '1000']);
    const asked = await readUploadHead(owner, path);
    assert.equal(asked.headers.get('upload-offset'), '1000');
    assert.equal(asked.headers.get('upload-length'), String(picture.length));
    assert.equal(asked.headers.get('cache-control'), 'no-store');

    const last = await sendChunk(owner, path, 1000, picture.subarray(1000));
    assert.equal(last.status, 200, last.bytes.toString());
    assert.equal(last.headers.get('upload-offset'), String(picture.length));
    const { id, ...rest } = last.body.data;
    assert.deepEqual([rest.title, rest.width, rest.height, rest.size], ['Ridge', 900, 600, picture.length]);
    const photo = assertRead(await owner.get(`/api/photos/${id}`));
    assert.deepEqual([photo.tags, photo.is_public, photo.album.id], [['alps', 'snow'], 0, album]);
    const download = await owner.get(`/api/photos/${id}/download`);
    assert.equal(hashSha256(download.bytes), hashSha256(picture));
    assert.match(download.headers.get('content-disposition')!, /DSC_0042\.jpg/);

    assert.equal(await readOffset(owner, path), picture.length);
    const again = await sendChunk(owner, path, picture.length, Buffer.alloc(0));
    assert.deepEqual([again.status, again.body.data.id], [200, id]);
  });

  test('has the level that its metadata names', async () => {
    for (const [fields, visibility, isPublic] of [
      [{ visibility: 'members' }, 'members', 0],
      [{ visibility: 'private', is_public: '0' }, 'private', 0],
      [{ is_public: '1' }, 'public', 1],
      [{}, 'public', 1],
    ] as [Record<string, string>, string, number][]) {
      const created = await createUpload(owner, picture.length, fields);
      const answer = await sendChunk(owner, created.headers.get('location')!, 0, picture);
      const photo = assertRead(await owner.get(`/api/photos/${answer.body.data.id}`));
      assert.deepEqual([photo.visibility, photo.is_public], [visibility, isPublic]);
      assertDone(await owner.delete(`/api/photos/${photo.id}`));
    }
    const both = { visibility: 'members', is_public: '1' };
    assertRefused(await createUpload(owner, 10, both), 400, 400, Object.keys(both));
    assertRefused(await createUpload(owner, 10, { visibility: 'all' }), 400, 400, ['visibility']);
  });

  const holds = () => countHoldings(gallery.deps);
  const usedBy = async ({ id }: Person) => {
    const row = await gallery.deps.db.kysely
      .selectFrom('users')
      .select('used_bytes')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return row.used_bytes;
  };

  test('may come with its creation, as a whole or in part', async () => {
    const whole = await owner.send('POST', '/api/uploads', {
      body: new Uint8Array(picture),
      headers: {
        ...tusHeader,
        'upload-length': String(picture.length),
        'content-type': 'application/offset+octet-stream',
      },
    });
    assert.deepEqual([whole.status, whole.body.data.size], [201, picture.length]);
    assert.equal(await readOffset(owner, whole.headers.get('location')!), picture.length);
    const part = await owner.send('POST', '/api/uploads', {
      body: new Uint8Array(picture.subarray(0, 500)),
      headers: {
        ...tusHeader,
        'upload-length': String(picture.length),
        'content-type': 'application/offset+octet-stream',
      },
    });
    assert.deepEqual([part.status, part.headers.get('upload-offset')], [201, '500']);
    assert.deepEqual(Object.keys(part.body), ['code', 'message']);
    const path = part.headers.get('location')!;
    assert.equal((await sendChunk(owner, path, 500, picture.subarray(500))).status, 200);
  });

  test('belongs to whom began it: for all others it is not there', async () => {
    const path = await startUpload(owner, picture.length);
    await sendChunk(owner, path, 0, picture.subarray(0, 10));
    const key = assertWritten(await owner.post('/api/auth/tokens', { name: 'reader', scopes: ['read'] }));
    const reader = createPerson(gallery, 'reader', key.token, owner.id);
    for (const other of [stranger, await registerAdmin(gallery, 'admin')]) {
      assert.equal((await readUploadHead(other, path)).status, 404);
      assertRefused(await sendChunk(other, path, 10, picture.subarray(10)), 404, 80001);
      assertRefused(await deleteUpload(other, path), 404, 80001);
    }
    assertRefused(await sendChunk(reader, path, 10, picture.subarray(10)), 403, 403);
    assertRefused(await createUpload(reader, 10), 403, 403);
    assertRefused(await deleteUpload(reader, path), 403, 403);
    assertRefused(await createUpload(asVisitor(gallery), 10), 401, 401);
    assertRefused(await sendChunk(asVisitor(gallery), path, 10, picture), 401, 401);
    assert.equal(await readOffset(owner, path), 10);
    assert.equal(await readOffset(reader, path), 10);
    await deleteUpload(owner, path);
  });

  test('is gone when it is given up, and its quota with it', async () => {
    const [before, used] = [await holds(), await usedBy(owner)];
    const path = await startUpload(owner, picture.length);
    assert.equal(await usedBy(owner), used + chargedBytes([{ size: picture.length }]));
    await sendChunk(owner, path, 0, picture.subarray(0, 2000));
    assert.equal((await holds()).objects, before.objects + 1);
    const ended = await deleteUpload(owner, path);
    assert.deepEqual([ended.status, ended.bytes.length], [204, 0]);
    assert.deepEqual([await holds(), await usedBy(owner)], [before, used]);
    assert.equal((await readUploadHead(owner, path)).status, 404);
    assertRefused(await sendChunk(owner, path, 2000, picture.subarray(2000)), 404, 80001);
    assertRefused(await deleteUpload(owner, path), 404, 80001);
  });

  test('is gone after a day, and its pieces after a maintenance run', async () => {
    const [before, used] = [await holds(), await usedBy(owner)];
    const path = await startUpload(owner, picture.length);
    await sendChunk(owner, path, 0, picture.subarray(0, 2000));
    gallery.travel(86_399 - 3600);
    await runMaintenance(gallery.deps, { graceSeconds: undefined });
    assert.equal(await readOffset(owner, path), 2000);
    gallery.travel(3602);
    assert.equal((await readUploadHead(owner, path)).status, 404);
    assertRefused(await sendChunk(owner, path, 2000, picture.subarray(2000)), 404, 80001);
    await runMaintenance(gallery.deps, { graceSeconds: undefined });
    assert.deepEqual([await holds(), await usedBy(owner)], [before, used]);
    const rows = gallery.deps.db.kysely.selectFrom('uploads').select('id');
    assert.deepEqual(await rows.where('user_id', '=', owner.id).execute(), []);
  });

  test('ends like a plain upload when it is no picture or its last request may not save it', async () => {
    const text = Buffer.from('no picture at all, but some bytes');
    const [before, used] = [await holds(), await usedBy(owner)];
    const path = await startUpload(owner, text.length);
    assert.equal((await sendChunk(owner, path, 0, text.subarray(0, 5))).status, 204);
    assertRefused(await sendChunk(owner, path, 5, text.subarray(5)), 415, 20001);
    assert.equal((await readUploadHead(owner, path)).status, 404);
    const other = await startUpload(owner, picture.length, { sha256: '0'.repeat(64) });
    assertRefused(await sendChunk(owner, other, 0, picture), 400, 400, ['sha256']);
    assert.equal((await readUploadHead(owner, other)).status, 404);
    const album = await addAlbum(owner, 'Gone soon');
    const third = await startUpload(owner, picture.length, { album_id: String(album) });
    assert.equal((await owner.delete(`/api/albums/${album}`)).status, 200);
    assertRefused(await sendChunk(owner, third, 0, picture), 404, 30001);
    assert.deepEqual([await holds(), await usedBy(owner)], [before, used]);
  });

  test('is refused before any byte when its user has the picture', async () => {
    const mine = await createJpeg({ width: 123, height: 77 });
    const { id } = assertWritten(await owner.upload(mine));
    const used = await usedBy(owner);
    for (const sum of [hashSha256(mine), hashSha256(mine).toUpperCase()]) {
      const answer = await createUpload(owner, mine.length, { sha256: sum });
      const told = { id, album: null };
      assert.deepEqual([answer.status, answer.body.code, answer.body.data], [409, 20009, told]);
      assert.equal(answer.headers.get('location'), null);
    }
    const album = await addAlbum(owner, 'Kept here');
    await owner.put(`/api/photos/${id}`, { album_id: album });
    const { body } = await createUpload(owner, mine.length, { sha256: hashSha256(mine) });
    assert.deepEqual(body.data, { id, album: { id: album, name: 'Kept here' } });
    assert.equal(await usedBy(owner), used);
    assert.equal((await createUpload(stranger, mine.length, { sha256: hashSha256(mine) })).status, 201);
    await owner.delete(`/api/photos/${id}`);
    assert.equal((await createUpload(owner, mine.length, { sha256: hashSha256(mine) })).status, 201);
  });

  test('keeps bytes with a checksum only if they have it', async () => {
    const path = await startUpload(owner, picture.length);
    const first = picture.subarray(0, 3000);
    const wrong = createHash('sha1').update('other bytes').digest('base64');
    const refused = await sendChunk(owner, path, 0, first, { 'upload-checksum': `sha1 ${wrong}` });
    assertRefused(refused, 460, 80004);
    assert.equal(await readOffset(owner, path), 0);
    for (const bad of ['sha1', 'md5 1B2M2Y8AsgTpgAmY7PhCfg==', 'sha1 AAAA', `sha256 ${wrong}`, 'sha1 %%%']) {
      assertRefused(await sendChunk(owner, path, 0, first, { 'upload-checksum': bad }), 400, 400);
    }
    const right = createHash('sha1').update(first).digest('base64');
    assert.equal(
      (await sendChunk(owner, path, 0, first, { 'upload-checksum': `sha1 ${right}` })).status,
      204,
    );
    const rest = picture.subarray(3000);
    const last = { 'upload-checksum': `sha256 ${createHash('sha256').update(first).digest('base64')}` };
    assertRefused(await sendChunk(owner, path, 3000, rest, last), 460, 80004);
    assert.equal(await readOffset(owner, path), 3000);
    const good = { 'upload-checksum': `sha256 ${createHash('sha256').update(rest).digest('base64')}` };
    assert.equal((await sendChunk(owner, path, 3000, rest, good)).status, 200);
  });

  test('takes quota for all of its bytes when it begins', async () => {
    const small = await register(gallery, 'small');
    const size = 10_000;
    const quota = chargedBytes([{ size }]);
    await gallery.deps.db.kysely
      .updateTable('users')
      .set({ quota_bytes: quota })
      .where('id', '=', small.id)
      .execute();
    assertRefused(await createUpload(small, size + 1), 413, 20006);
    const path = await startUpload(small, size);
    assertRefused(await createUpload(small, 1), 413, 20006);
    assertRefused(await small.upload(await createJpeg()), 413, 20006);
    await deleteUpload(small, path);
    assert.equal((await small.upload(await createJpeg())).status, 200);
  });

  test('has a bound on how many are open', async () => {
    const many = await register(gallery, 'many');
    const paths: string[] = [];
    for (let n = 0; n < 100; n++) paths.push(await startUpload(many, 1000));
    assertRefused(await createUpload(many, 1000), 429, 429);
    assert.equal(await usedBy(many), 100 * chargedBytes([{ size: 1000 }]));
    await deleteUpload(many, paths[0]!);
    assert.equal((await createUpload(many, 1000)).status, 201);
  });

  test('is never sent as an image, and causes no server error', async () => {
    const path = await startUpload(owner, picture.length);
    await sendChunk(owner, path, 0, picture.subarray(0, 2000));
    const { object } = await gallery.deps.db.kysely
      .selectFrom('upload_pieces')
      .select('object')
      .executeTakeFirstOrThrow();
    assert.equal((await owner.get(`/storage/${object}`)).status, 404);
    assert.deepEqual(gallery.complaints(), []);
    assert.equal((await holds()).temporary, 0);
  });
});
