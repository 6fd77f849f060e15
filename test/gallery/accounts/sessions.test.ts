/** Tests the list of an account's sessions, and signing out a session. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { signedIn } from '../../contract/steps/rights.ts';
import { testRights } from '../../contract/steps/rights-walk.ts';
import { assertDone, assertRead, assertRefused } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  asVisitor,
  createPerson,
  logIn,
  type Person,
  password,
  register,
  registerAdmin,
} from '../../support/people.ts';

// Needs a gallery of its own, because this request ends the sessions that other rows of the table use.
testRights([
  {
    endpoint: 'DELETE /api/auth/sessions',
    codes: signedIn,
    ask: (who) => who.delete('/api/auth/sessions'),
  },
]);

describe('sessions', () => {
  let gallery: Gallery;
  let ann: Person;
  let bea: Person;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    bea = await register(gallery, 'bea');
  });
  after(() => gallery?.close());

  const readSessions = async (who: Person, query = '') =>
    assertRead(await who.get(`/api/auth/sessions?${query}`));

  test('are listed to their owner, the current one marked, without any token', async () => {
    const { body } = await asVisitor(gallery).send('POST', '/api/auth/login', {
      body: JSON.stringify({ username: 'ann', password }),
      headers: { 'content-type': 'application/json', 'user-agent': 'Telephone/1.0' },
    });
    const phone = createPerson(gallery, 'ann', body.data.token, ann.id);
    const answer = await phone.get('/api/auth/sessions');
    const { list, pagination } = assertRead(answer);
    assert.equal(pagination.total, 2);
    assert.deepEqual(
      list.map(({ is_current }: { is_current: boolean }) => is_current),
      [true, false],
    );
    assert.equal(list[0].user_agent, 'Telephone/1.0');
    assert.equal(list[0].ip, '127.0.0.1');
    for (const name of ['create_time', 'last_used_time', 'expire_time']) {
      assert.match(list[0][name], /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    }
    assert.deepEqual(Object.keys(list[0]).sort(), [
      'create_time',
      'expire_time',
      'id',
      'ip',
      'is_current',
      'last_used_time',
      'user_agent',
    ]);
    const second = await readSessions(ann, 'limit=1&page=2');
    assert.deepEqual([second.list.length, second.list[0].is_current], [1, true]);
    assert.equal((await readSessions(bea)).pagination.total, 1);
    assertRefused(await asVisitor(gallery).get('/api/auth/sessions'), 401, 401);
  });

  test('end at once when they are signed out', async () => {
    const desk = await logIn(gallery, ann);
    const before = (await readSessions(ann)).pagination.total;
    const [{ id }] = (await readSessions(desk)).list;
    assertDone(await ann.delete(`/api/auth/sessions/${id}`));
    assertRefused(await desk.get('/api/auth/user'), 401, 10006);
    assertRead(await ann.get('/api/auth/user'));
    assert.equal((await readSessions(ann)).pagination.total, before - 1);
    assertRefused(await ann.delete(`/api/auth/sessions/${id}`), 404, 404);
  });

  test('end all at once but the current one; keys and other people stay', async () => {
    const others = [await logIn(gallery, ann), await logIn(gallery, ann)];
    const { token } = (await ann.post('/api/auth/tokens', { name: 'frame' })).body.data;
    const desk = await logIn(gallery, ann);
    const program = createPerson(gallery, 'ann', token, ann.id);
    assertRefused(await program.delete('/api/auth/sessions'), 403, 403);
    assertRefused(await asVisitor(gallery).delete('/api/auth/sessions'), 401, 401);
    for (const who of others) assertRead(await who.get('/api/auth/user'));
    assertDone(await desk.delete('/api/auth/sessions'));
    for (const who of [ann, ...others]) assertRefused(await who.get('/api/auth/user'), 401, 10006);
    for (const who of [program, bea]) assertRead(await who.get('/api/auth/user'));
    const { list } = await readSessions(desk);
    assert.deepEqual([list.length, list[0].is_current], [1, true]);
    assertDone(await desk.delete('/api/auth/sessions'));
    ann = desk;
  });

  test('are hidden from other people, admins included', async () => {
    const admin = await registerAdmin(gallery, 'admin');
    const [{ id }] = (await readSessions(bea)).list;
    for (const who of [ann, admin]) assertRefused(await who.delete(`/api/auth/sessions/${id}`), 404, 404);
    assertRefused(await asVisitor(gallery).delete(`/api/auth/sessions/${id}`), 401, 401);
    assertRefused(await ann.delete('/api/auth/sessions/x'), 400, 400, ['id']);
    assertRead(await bea.get('/api/auth/user'));
  });

  test('are not listed after they expire, and the current session can be revoked', async () => {
    gallery.travel(gallery.deps.config.tokenTtl - 10);
    const late = await logIn(gallery, bea);
    gallery.travel(20);
    const { list } = await readSessions(late);
    assert.deepEqual([list.length, list[0].is_current], [1, true]);
    assertDone(await late.delete(`/api/auth/sessions/${list[0].id}`));
    assertRefused(await late.get('/api/auth/sessions'), 401, 10006);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
