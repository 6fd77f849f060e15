import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused, assertWritten } from '../support/assert-answers.ts';
import { runLightwell } from '../support/command.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import {
  addPhoto,
  asVisitor,
  createPerson,
  logIn,
  type Person,
  password,
  register,
  registerAdmin,
} from '../support/people.ts';

/**
 * Creates an API key with the scopes read and write, and returns a client of this person that uses the key.
 */
async function createProgram(gallery: Gallery, owner: Person): Promise<Person> {
  const wanted = { name: 'program', scopes: ['read', 'write'] };
  const { token } = assertWritten(await owner.post('/api/auth/tokens', wanted));
  return createPerson(gallery, 'program', token, owner.id);
}

describe("an admin's API key", () => {
  let gallery: Gallery;
  let root: Person;
  let robot: Person;
  let victim: Person;

  before(async () => {
    gallery = await startGallery();
    root = await registerAdmin(gallery, 'root');
    robot = await createProgram(gallery, root);
    victim = await register(gallery, 'victim');
  });
  after(() => gallery.close());

  test('an API key of an admin cannot list, change or delete accounts', async () => {
    assertRefused(await robot.get('/api/admin/users'), 403, 403);
    for (const id of [root.id, victim.id, 999]) {
      for (const change of [{ password: 'of the thief' }, { is_admin: true }, { status: 0 }, {}]) {
        assertRefused(await robot.put(`/api/admin/users/${id}`, change), 403, 403);
      }
      assertRefused(await robot.delete(`/api/admin/users/${id}`), 403, 403);
    }
    await logIn(gallery, root);
    await logIn(gallery, victim);
    const { list } = assertRead(await root.get('/api/admin/users?is_admin=1'));
    assert.deepEqual(
      list.map(({ username }: { username: string }) => username),
      ['root'],
    );
  });

  test('an API key of an admin cannot delete an account through a report, but can moderate content', async () => {
    const photo = await addPhoto(victim);
    const report = async (target_type: string, target_id: number) =>
      assertWritten(await robot.post('/api/reports', { target_type, target_id, reason: 'spam' }))
        .id as number;
    const [ofUser, ofPhoto] = [await report('user', victim.id), await report('photo', photo.id)];
    const handle = (who: Person, id: number, action: string) =>
      who.post(`/api/admin/reports/${id}/handle`, { action });
    assertRefused(await handle(robot, ofUser, 'delete'), 403, 403);
    assertRefused(await handle(robot, ofUser, 'disable_user'), 403, 403);
    assertRefused(await handle(robot, ofPhoto, 'disable_user'), 403, 403);
    assertRead(await victim.get('/api/auth/user'));
    assertWritten(await handle(robot, ofPhoto, 'delete'));
    assertRefused(await victim.get(`/api/photos/${photo.id}`), 404, 20003);
    assertWritten(await handle(root, ofUser, 'disable_user'));
    assertRefused(await victim.get('/api/auth/user'), 401, 10006);
  });
});

describe('API keys and a new password', () => {
  let gallery: Gallery;
  before(async () => {
    gallery = await startGallery();
  });
  after(() => gallery.close());

  const change = (who: Person, more: object) =>
    who.put('/api/auth/password', { old_password: password, new_password: password, ...more });

  test('a new password counts the API keys in the response, and revokes the keys on request', async () => {
    const owner = await register(gallery, 'owner');
    assertDone(await change(owner, {}));
    const [one, other] = [await createProgram(gallery, owner), await createProgram(gallery, owner)];
    assertWritten(await owner.post('/api/auth/tokens', { name: 'expired', expires: 1 }));
    gallery.travel(86_401);
    assert.deepEqual(assertWritten(await change(owner, {})), { api_keys: 2 });
    assert.deepEqual(assertWritten(await change(owner, { end_keys: false })), { api_keys: 2 });
    assertRefused(await change(owner, { old_password: 'wrong', end_keys: true }), 400, 10005);
    assertRefused(await change(owner, { end_keys: 1 }), 400, 400, ['end_keys']);
    assertRead(await one.get('/api/auth/user'));
    assertDone(await change(owner, { end_keys: true }));
    for (const program of [one, other]) assertRefused(await program.get('/api/auth/user'), 401, 10006);
    assert.deepEqual(assertRead(await owner.get('/api/auth/tokens')).list, []);
  });

  test("an admin's password reset counts and optionally revokes the keys of that account only", async () => {
    const [root, holder, other] = [
      await registerAdmin(gallery, 'root'),
      await register(gallery, 'holder'),
      await register(gallery, 'other'),
    ];
    const [ofHolder, ofOther] = [await createProgram(gallery, holder), await createProgram(gallery, other)];
    const put = async (body: object) => assertWritten(await root.put(`/api/admin/users/${holder.id}`, body));
    assert.equal((await put({ password: 'given by root' })).api_keys, 1);
    assertRead(await ofHolder.get('/api/auth/user'));
    assert.equal((await put({ end_keys: true })).api_keys, 0);
    assertRefused(await ofHolder.get('/api/auth/user'), 401, 10006);
    const again = await logIn(gallery, holder, 'given by root');
    const later = await createProgram(gallery, again);
    assert.equal((await put({ password: 'given again', end_keys: true })).api_keys, 0);
    assertRefused(await later.get('/api/auth/user'), 401, 10006);
    assertRead(await ofOther.get('/api/auth/user'));
    const { list } = assertRead(await root.get('/api/admin/logs?action=user.update&actor=root'));
    assert.deepEqual(
      list.map(({ details }: { details: object }) => details),
      [{ password: true, keys_ended: 1 }, { keys_ended: 1 }, { password: true }],
    );
  });

  test('the command line counts API keys at a new password, and has an option that revokes the keys', async () => {
    const owner = await register(gallery, 'forgetful');
    const program = await createProgram(gallery, owner);
    const first = await runLightwell(gallery, ['user', 'password', 'forgetful'], 'new password\n');
    assert.match(first.out, /API keys that stay valid: 1\. Delete them with --end-keys/);
    assertRead(await program.get('/api/auth/user'));
    const second = await runLightwell(
      gallery,
      ['user', 'password', 'forgetful', '--end-keys'],
      'newer password\n',
    );
    assert.match(second.out, /Revoked all other access of the account\. Deleted: API keys 1, passkeys 0, /);
    assertRefused(await program.get('/api/auth/user'), 401, 10006);
    await logIn(gallery, owner, 'newer password');
  });
});

describe('a stolen session', () => {
  test('a stolen session cannot guess the password within the rate limit, and the owner can change it', async () => {
    const gallery = await startGallery({ rateLimit: 0, trustProxy: true });
    try {
      const owner = await register(gallery, 'owner');
      const thief = await logIn(gallery, owner);
      let tries = 0;
      const guess = (old_password: string, who = thief) =>
        who.send('PUT', '/api/auth/password', {
          body: JSON.stringify({ old_password, new_password: 'of the thief' }),
          headers: { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${++tries}` },
        });
      const burst = await Promise.all(Array.from({ length: 30 }, (_, n) => guess(`guess ${n}`)));
      assert.equal(burst.filter(({ body }) => body.code === 10005).length, 10);
      const refused = burst.filter(({ status }) => status === 429);
      assert.equal(refused.length, 20);
      for (const answer of refused) assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
      assertRefused(await guess(password), 429, 429);
      await logIn(gallery, owner);
      assertRefused(await guess('wrong', owner), 400, 10005);
      assertDone(await guess(password, owner));
      assertRefused(
        await asVisitor(gallery).get('/api/auth/user', { authorization: `Bearer ${thief.token}` }),
        401,
        10006,
      );
    } finally {
      await gallery.close();
    }
  });
});
