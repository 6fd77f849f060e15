/** Tests that admins can sign an account out everywhere, after a lost device or an intruder. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { testRights } from '../../contract/steps/rights-walk.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { runLightwell } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { createPerson, logIn, type Person, register, registerAdmin } from '../../support/people.ts';

testRights([
  {
    endpoint: 'DELETE /api/admin/users/{id}/sessions',
    codes: [401, 403, 403, 10006, 0],
    ask: (who, { owner }) => who.delete(`/api/admin/users/${owner}/sessions`),
  },
]);

describe('ending all sessions of an account', () => {
  let gallery: Gallery;
  let root: Person;
  let ann: Person;

  before(async () => {
    gallery = await startGallery();
    root = await registerAdmin(gallery, 'root');
    ann = await register(gallery, 'ann');
  });
  after(() => gallery.close());

  const end = (id: number, who = root) => who.delete(`/api/admin/users/${id}/sessions`);
  const acts = async () => {
    const { list } = assertRead(await root.get('/api/admin/logs?action=user.update&limit=100'));
    return list.map(({ actor, target, details }: Record<string, Record<string, unknown>>) => [
      actor!.username,
      target!.name,
      details,
    ]);
  };
  const newKey = async (who: Person) =>
    assertWritten(await who.post('/api/auth/tokens', { name: 'k', scopes: ['read', 'write'] })).token;

  test('ends all sessions for an admin, and nothing else of the account', async () => {
    const elsewhere = await logIn(gallery, ann);
    const bob = await register(gallery, 'bob');
    const robot = createPerson(gallery, 'ann', await newKey(ann), ann.id);
    assertDone(await end(ann.id));
    for (const who of [ann, elsewhere]) assertRefused(await who.get('/api/auth/user'), 401, 10006);
    assert.equal(assertRead(await bob.get('/api/auth/user')).id, bob.id);
    assert.equal(assertRead(await robot.get('/api/auth/user')).id, ann.id);
    ann = await logIn(gallery, ann);
    assert.equal(assertRead(await ann.get('/api/auth/user')).status, 1);
    assert.deepEqual((await acts())[0], ['root', 'ann', { sessions_ended: 2 }]);
  });

  test("ends the admin's own sessions, too, and is refused to everybody else and to API keys", async () => {
    const other = await registerAdmin(gallery, 'other');
    const before = await acts();
    const robot = createPerson(gallery, 'other', await newKey(other), other.id);
    assertRefused(await end(ann.id, robot), 403, 403);
    assertRefused(await end(root.id, ann), 403, 403);
    assertRefused(await end(987_654_321), 404, 50001);
    assert.deepEqual(await acts(), before);
    assertDone(await end(other.id, other));
    assertRefused(await other.get('/api/auth/user'), 401, 10006);
  });

  test('works on the command line, too', async () => {
    const { code, out, error } = await runLightwell(gallery, ['user', 'end-sessions', 'ann@example.org']);
    assert.deepEqual([code, out], [0, 'Revoked all sessions of ann.\n'], error);
    assertRefused(await ann.get('/api/auth/user'), 401, 10006);
    assert.deepEqual((await acts())[0], ['command line', 'ann', { sessions_ended: 1 }]);
    const unknown = await runLightwell(gallery, ['user', 'end-sessions', 'nobody']);
    assert.deepEqual([unknown.code, unknown.error], [1, 'error: the user "nobody" does not exist']);
  });
});
