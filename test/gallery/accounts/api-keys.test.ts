import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { createPerson, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

describe('an API key', () => {
  let gallery: Gallery;
  let owner: Person;
  let stranger: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    stranger = await register(gallery, 'stranger');
  });
  after(() => gallery.close());

  /** Creates an API key of the owner, and returns a client that uses the key instead of a session. */
  async function program(wanted: object): Promise<Person & { keyId: number }> {
    const { id, token } = assertWritten(await owner.post('/api/auth/tokens', wanted));
    return { ...createPerson(gallery, 'program', token, owner.id), keyId: id };
  }

  test('is shown once, and only its hash is kept', async () => {
    const made = assertWritten(await owner.post('/api/auth/tokens', { name: 'Frame', expires: 30 }));
    assert.match(made.token, /^lw_[A-Za-z0-9_-]{43}$/);
    assert.deepEqual([made.name, made.scopes, made.last_used_time], ['Frame', ['read'], '']);
    const listed = await owner.get('/api/auth/tokens');
    assert.deepEqual(Object.keys(listed.body.data.list[0]).sort(), [
      'create_time',
      'expire_time',
      'id',
      'last_used_time',
      'name',
      'scopes',
    ]);
    assert.ok(!listed.bytes.includes(made.token));
    const rows = await gallery.deps.db.kysely.selectFrom('api_keys').selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes(made.token.slice(3)));
  });

  test('sees what its owner sees and changes nothing when it may only read', async () => {
    const hidden = assertWritten(await owner.upload(await createJpeg(), { title: 'hidden', is_public: '0' }));
    const reader = await program({ name: 'reader', scopes: ['read'] });
    assert.equal((await reader.get(`/api/photos/${hidden.id}`)).body.data.title, 'hidden');
    assertRefused(await reader.put(`/api/photos/${hidden.id}`, { title: 'x' }), 403, 403);
    assertRefused(await reader.post(`/api/photos/${hidden.id}/like`), 403, 403);
    assertRefused(await reader.delete(`/api/photos/${hidden.id}`), 403, 403);
    assertRefused(await reader.upload(await createJpeg()), 403, 403);
    assert.equal((await owner.get(`/api/photos/${hidden.id}`)).body.data.title, 'hidden');
    // The server records the use of a key in the background, so the test waits for it.
    await eventually(async () => {
      const [used] = (await owner.get('/api/auth/tokens')).body.data.list;
      assert.notEqual(used.last_used_time, '');
    });
  });

  test('uploads when it may write, but creates no keys and touches no sessions or passwords', async () => {
    const writer = await program({ name: 'writer', scopes: ['read', 'write'] });
    assertWritten(await writer.upload(await createJpeg(), { title: 'by a program' }));
    assertRefused(await writer.post('/api/auth/tokens', { name: 'stronger', scopes: ['write'] }), 403, 403);
    assertRefused(await writer.get('/api/auth/tokens'), 403, 403);
    assertRefused(await writer.delete(`/api/auth/tokens/${writer.keyId}`), 403, 403);
    assertRefused(await writer.get('/api/auth/sessions'), 403, 403);
    assertRefused(await writer.post('/api/auth/logout'), 403, 403);
    const change = { old_password: 'correct horse 7', new_password: 'another horse 8' };
    assertRefused(await writer.put('/api/auth/password', change), 403, 403);
  });

  test('ends when it is deleted, when it expires, and with its owner', async () => {
    const deleted = await program({ name: 'deleted' });
    assertRefused(await stranger.delete(`/api/auth/tokens/${deleted.keyId}`), 404, 404);
    assert.equal((await deleted.get('/api/auth/user')).status, 200);
    assert.equal((await owner.delete(`/api/auth/tokens/${deleted.keyId}`)).body.code, 0);
    assertRefused(await deleted.get('/api/auth/user'), 401, 10006);
    assertRefused(await deleted.get('/api/photos'), 401, 10006);

    const brief = await program({ name: 'brief', expires: 1 });
    assert.equal((await brief.get('/api/auth/user')).status, 200);
    gallery.travel(86_401);
    assertRefused(await brief.get('/api/auth/user'), 401, 10006);

    const lasting = await program({ name: 'lasting' });
    const users = gallery.deps.db.kysely.updateTable('users').where('id', '=', owner.id);
    await users.set({ status: 0 }).execute();
    assertRefused(await lasting.get('/api/photos'), 401, 10006);
    await users.set({ status: 1 }).execute();
  });

  test('is refused with 400 that names a wrong name, scope or expiry', async () => {
    const wrong = { name: '', scopes: ['admin'], expires: 0 };
    assertRefused(await owner.post('/api/auth/tokens', wrong), 400, 400, ['name', 'scopes.0', 'expires']);
    assertRefused(await owner.post('/api/auth/tokens', { name: 'n', scopes: [] }), 400, 400, ['scopes']);
  });
});
