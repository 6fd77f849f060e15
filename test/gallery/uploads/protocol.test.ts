/** Tests the requirements of tus for a server, and requests that no tus client sends. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Codes } from '../../contract/steps/rights.ts';
import { testRights } from '../../contract/steps/rights-walk.ts';
import { assertRefused } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, asVisitor, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import {
  createUpload,
  deleteUpload,
  readOffset,
  sendChunk,
  startUpload,
  tusHeader,
} from '../../support/uploads.ts';

describe('the protocol of resumable uploads', () => {
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

  test('refuses what is no request of the protocol', async () => {
    const { length } = picture;
    const path = await startUpload(owner, length);
    await sendChunk(owner, path, 0, picture.subarray(0, 100));
    const post = (headers: Record<string, string>) =>
      owner.send('POST', '/api/uploads', { headers: { ...tusHeader, ...headers } });
    const without = await owner.send('POST', '/api/uploads', { headers: { 'upload-length': '10' } });
    assertRefused(without, 412, 412);
    assert.equal(without.headers.get('tus-version'), '1.0.0');
    assertRefused(await post({ 'upload-length': '10', 'tus-resumable': '0.2.2' }), 412, 412);
    for (const size of ['-1', '1.5', '1e3', '0x10', '', ' ', 'ten', '99999999999999999999']) {
      assertRefused(await post({ 'upload-length': size }), 400, 400);
    }
    assertRefused(await post({}), 400, 400);
    assertRefused(await post({ 'upload-defer-length': '1' }), 400, 400);
    assertRefused(await post({ 'upload-length': '10', 'upload-concat': 'partial' }), 400, 400);
    assertRefused(await createUpload(owner, 0), 415, 20001);
    assertRefused(await createUpload(owner, 16 * 1024 * 1024 + 1), 413, 20002);
    assertRefused(await createUpload(owner, 2 ** 52), 413, 20002);
    for (const text of [
      'title',
      'title not;base64',
      'title QQ==,title QQ==',
      '__proto__ QQ==',
      ',',
      'a b c',
    ]) {
      const answer = await post({ 'upload-length': '10', 'upload-metadata': text });
      assert.ok([400, 201].includes(answer.status), text);
      if (text !== 'title') assertRefused(answer, 400, 400);
    }
    const fields = { is_public: '2', album_id: 'x', title: 'x'.repeat(201), sha256: 'abc' };
    assertRefused(await createUpload(owner, 10, fields), 400, 400, Object.keys(fields));
    assertRefused(await createUpload(owner, 10, { album_id: '987654' }), 404, 30001);
    const foreign = await addAlbum(stranger, 'Not theirs');
    assertRefused(await createUpload(owner, 10, { album_id: String(foreign) }), 403, 30002);
    assert.equal((await createUpload(owner, 10, { description: 'x'.repeat(30_000) })).status, 431);

    const send = (headers: Record<string, string>, body: Uint8Array<ArrayBuffer> = new Uint8Array(4)) =>
      owner.send('PATCH', path, { body, headers: { ...tusHeader, ...headers } });
    const type = { 'content-type': 'application/offset+octet-stream' };
    for (const offset of ['99', '101', '0', String(length), String(length + 1), '9007199254740991']) {
      assertRefused(await send({ ...type, 'upload-offset': offset }), 409, 80002);
    }
    for (const offset of ['-1', 'x', '1e2', '100.5']) {
      assertRefused(await send({ ...type, 'upload-offset': offset }), 400, 400);
    }
    assertRefused(await send(type), 400, 400);
    assertRefused(await send({ 'upload-offset': '100', 'content-type': 'image/jpeg' }), 415, 415);
    assertRefused(await send({ 'upload-offset': '100', 'content-type': 'application/json' }), 415, 415);
    assertRefused(await send({ ...type, 'upload-offset': '100' }, new Uint8Array(length)), 413, 20002);
    assertRefused(await sendChunk(owner, `${path}0`, 100, picture), 404, 80001);
    assertRefused(await sendChunk(owner, '/api/uploads/..%2f..%2fetc', 100, picture), 404, 80001);
    const overridden = { ...tusHeader, 'x-http-method-override': 'DELETE', 'upload-length': '10' };
    const created = await owner.send('POST', '/api/uploads', { headers: overridden });
    assert.equal(created.status, 201);
    assertRefused(await owner.send('POST', path, { headers: overridden }), 405, 405);
    assertRefused(await owner.get(path), 405, 405);
    assertRefused(await owner.get('/api/uploads'), 405, 405);
    assert.equal(await readOffset(owner, path), 100);
    assert.equal((await sendChunk(owner, path, 100, picture.subarray(100))).status, 200);
  });

  test('is made known by OPTIONS', async () => {
    for (const url of ['/api/uploads', `/api/uploads/${'0'.repeat(32)}`]) {
      const { status, headers } = await asVisitor(gallery).send('OPTIONS', url);
      assert.equal(status, 204);
      assert.equal(headers.get('tus-version'), '1.0.0');
      assert.equal(headers.get('tus-resumable'), '1.0.0');
      assert.equal(
        headers.get('tus-extension'),
        'creation,creation-with-upload,termination,checksum,expiration',
      );
      assert.equal(headers.get('tus-max-size'), String(16 * 1024 * 1024));
      assert.equal(headers.get('tus-checksum-algorithm'), 'sha1,sha256');
      assert.match(headers.get('access-control-allow-methods')!, /PATCH/);
      assert.match(headers.get('access-control-allow-headers')!, /Upload-Offset/);
      assert.match(headers.get('access-control-expose-headers')!, /Location/);
    }
    const other = await asVisitor(gallery).send('OPTIONS', '/api/photos');
    assert.equal(other.headers.get('tus-version'), null);
    assert.doesNotMatch(other.headers.get('access-control-allow-methods')!, /PATCH/);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});

const none = `/api/uploads/${'0'.repeat(32)}`;
/** Codes for an upload that does not exist. An upload of another user gets the same codes. */
const notThere: Codes = [401, 80001, 80001, 10006, 80001];

testRights([
  {
    endpoint: 'POST /api/uploads',
    // Sends an empty file: a role that passes the guard gets the error for the empty file.
    codes: [401, 20001, 20001, 10006, 20001],
    ask: (who) => createUpload(who, 0),
  },
  {
    endpoint: 'PATCH /api/uploads/{id}',
    codes: notThere,
    ask: (who) => sendChunk(who, none, 0, Buffer.from('bytes')),
  },
  { endpoint: 'DELETE /api/uploads/{id}', codes: notThere, ask: (who) => deleteUpload(who, none) },
]);
