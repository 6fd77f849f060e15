import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { createAuthenticator, type FalseClaims } from '../../support/authenticator.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  asVisitor,
  createPerson,
  disableAccount,
  logIn,
  type Person,
  password,
  register,
} from '../../support/people.ts';
import { createRequestHead, exchangeRaw } from '../../support/raw.ts';

const lifetime = 300;

describe('a passkey', () => {
  let gallery: Gallery;
  let origin: string;
  let people = 0;
  let owner: Person;
  let visitor: Person;

  before(async () => {
    // Uses a host name, because browsers create no passkeys for an IP address.
    gallery = await startGallery({ baseUrl: 'https://photos.example.org' });
    origin = 'https://photos.example.org';
    visitor = asVisitor(gallery);
  });
  beforeEach(async () => {
    owner = await register(gallery, `owner${++people}`);
  });
  after(() => gallery.close());

  type Authenticator = ReturnType<typeof createAuthenticator>;

  const ask = async (who = owner) =>
    assertWritten(await who.post('/api/auth/passkeys/options', { password }));

  async function add(
    authenticator: Authenticator,
    name = 'Phone',
    lies: FalseClaims = {},
  ): Promise<{ id: number }> {
    const response = authenticator.create(await ask(), lies);
    return assertWritten(await owner.post('/api/auth/passkeys', { name, response }));
  }

  const askToSignIn = async () => assertWritten(await visitor.post('/api/auth/login/passkey/options'));

  async function signIn(authenticator: Authenticator, lies: FalseClaims = {}) {
    const response = authenticator.get(await askToSignIn(), lies);
    return visitor.post('/api/auth/login/passkey', { response });
  }

  async function withPasskey(): Promise<Authenticator> {
    const authenticator = createAuthenticator(origin);
    await add(authenticator);
    return authenticator;
  }

  test('signs in alone, and is listed, renamed and deleted by its owner', async () => {
    const authenticator = createAuthenticator(origin);
    const made = await add(authenticator);
    assert.deepEqual(Object.keys(made).sort(), ['create_time', 'id', 'is_synced', 'last_used_time', 'name']);
    const { user, token, expires_in } = assertWritten(await signIn(authenticator));
    assert.deepEqual([user.id, user.username, expires_in], [owner.id, owner.name, 604_800]);
    const there = createPerson(gallery, owner.name, token, owner.id);
    assert.equal(assertRead(await there.get('/api/auth/user')).id, owner.id);
    assertDone(await there.put(`/api/auth/passkeys/${made.id}`, { name: 'Old phone' }));
    const { list } = assertRead(await owner.get('/api/auth/passkeys'));
    assert.deepEqual([list.length, list[0].name], [1, 'Old phone']);
    assert.notEqual(list[0].last_used_time, '');
    assertDone(await owner.delete(`/api/auth/passkeys/${made.id}`));
    assert.deepEqual(assertRead(await owner.get('/api/auth/passkeys')).list, []);
    assertRefused(await signIn(authenticator), 401, 10003);
    // A session that began with a passkey stays valid after the passkey is deleted.
    assertRead(await there.get('/api/auth/user'));
  });

  test('comes into a cookie for a page of the gallery', async () => {
    const authenticator = await withPasskey();
    const response = authenticator.get(await askToSignIn());
    const answer = await visitor.send('POST', '/api/auth/login/passkey', {
      body: JSON.stringify({ response, cookie: true }),
      headers: { 'content-type': 'application/json', origin },
    });
    assert.equal(assertWritten(answer).token, undefined);
    assert.match(
      answer.headers.get('set-cookie')!,
      /^__Host-lightwell_session=[\w-]{43};.*HttpOnly.*; Secure$/,
    );
    const theirs = await visitor.send('POST', '/api/auth/login/passkey', {
      body: JSON.stringify({ response: authenticator.get(await askToSignIn()), cookie: true }),
      headers: { 'content-type': 'application/json', origin: 'https://example.com' },
    });
    assertRefused(theirs, 403, 403);
  });

  test('signs in once with one answer of its authenticator, also when many come at once', async () => {
    const authenticator = createAuthenticator(origin);
    // Uses a constant signature counter of zero, like many password managers. Then only the challenge
    // distinguishes two responses.
    await add(authenticator, 'Manager', { counter: 0 });
    const response = authenticator.get(await askToSignIn(), { counter: 0 });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => visitor.post('/api/auth/login/passkey', { response })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401, 401, 401]);
    assertRefused(await visitor.post('/api/auth/login/passkey', { response }), 401, 10003);
    assertWritten(await signIn(authenticator, { counter: 0 }));
  });

  test('is refused for another site, action or account, and for an old or made-up challenge', async () => {
    const authenticator = await withPasskey();
    const made = (await askToSignIn()).challenge;
    const forged = Buffer.from(made, 'base64url')
      .toString()
      .replace(/\d{10}/, (until) => `${Number(until) + 1}`);
    const ofAdding = (await ask()).challenge;
    const lies: FalseClaims[] = [
      { origin: 'https://photos.example.com' },
      { origin: 'http://photos.example.org' },
      { rpId: 'example.org' },
      { type: 'webauthn.create' },
      { isVerified: false },
      { userHandle: Buffer.from('user 1').toString('base64url') },
      { challenge: Buffer.from(forged).toString('base64url') },
      { challenge: ofAdding },
      { challenge: Buffer.from('x').toString('base64url') },
      { challenge: '' },
    ];
    for (const lie of lies) {
      const answer = await signIn(authenticator, lie);
      assert.deepEqual([answer.status, answer.body.code], [401, 10003], JSON.stringify(lie));
    }
    const options = await askToSignIn();
    gallery.travel(lifetime);
    const late = await visitor.post('/api/auth/login/passkey', { response: authenticator.get(options) });
    assertRefused(late, 401, 10003);
    assertWritten(await signIn(authenticator));
  });

  test('is refused for a page beside this gallery, whatever host the request names', async () => {
    const authenticator = await withPasskey();
    // Browsers let subdomains and other ports use the passkeys of this host, so the server must check the
    // origin.
    for (const host of ['evil.photos.example.org', 'photos.example.org:8443']) {
      const response = authenticator.get(await askToSignIn(), { origin: `https://${host}` });
      const body = JSON.stringify({ response });
      const { status } = await exchangeRaw(
        gallery,
        createRequestHead('POST', '/api/auth/login/passkey', {
          Host: host,
          Origin: `https://${host}`,
          'Content-Type': 'application/json',
          'Content-Length': body.length,
        }) + body,
      );
      assert.equal(status, 401, host);
    }
  });

  test('is refused when its challenge has trailing bytes', async () => {
    const authenticator = await withPasskey();
    const made = Buffer.from((await askToSignIn()).challenge, 'base64url').toString();
    for (const more of ['.more', '.'.padEnd(5000, 'x')])
      assertRefused(
        await signIn(authenticator, { challenge: Buffer.from(made + more).toString('base64url') }),
        401,
        10003,
      );
  });

  test('signs in one of several simultaneous answers with one counter', async () => {
    const authenticator = await withPasskey();
    const responses = [];
    for (let n = 0; n < 4; n++) responses.push(authenticator.get(await askToSignIn(), { counter: 50 }));
    const answers = await Promise.all(
      responses.map((response) => visitor.post('/api/auth/login/passkey', { response })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401]);
  });

  test('signs a new challenge of 144 random bits each time', async () => {
    const asked = await Promise.all(Array.from({ length: 50 }, askToSignIn));
    const random = [...asked, await ask(), await ask()].map(
      ({ challenge }) => Buffer.from(challenge, 'base64url').toString().split('.')[0]!,
    );
    for (const text of random) assert.match(text, /^[\w-]{24}$/);
    // Asserts that no bit is the same in all random texts.
    const bits = random.map((text) => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`));
    assert.equal(
      bits.reduce((one, other) => one & other),
      0n,
    );
    assert.equal(
      bits.reduce((one, other) => one | other),
      (1n << 144n) - 1n,
    );
    assert.equal(new Set(random).size, random.length);
  });

  test('is refused as a copy when its counter goes back', async () => {
    const authenticator = await withPasskey();
    assertWritten(await signIn(authenticator, { counter: 9 }));
    assertRefused(await signIn(authenticator, { counter: 9 }), 401, 10003);
    assertWritten(await signIn(authenticator, { counter: 10 }));
  });

  test('is added with the right password alone, by the session that asked, for this site', async () => {
    assertRefused(await owner.post('/api/auth/passkeys/options', { password: 'wrong' }), 400, 10005);
    assertRefused(await owner.post('/api/auth/passkeys/options', {}), 400, 400, ['password']);
    const other = await register(gallery, `other${people}`);
    const options = await ask();
    assert.deepEqual([options.rp.id, options.user.name], ['photos.example.org', owner.name]);
    assert.deepEqual(options.authenticatorSelection.userVerification, 'required');
    const refusals: [Person, object][] = [
      [other, createAuthenticator(origin).create(options)],
      [owner, createAuthenticator('https://example.com').create(options)],
      [owner, createAuthenticator(origin).create(options, { rpId: 'example.com' })],
      [owner, createAuthenticator(origin).create(options, { isVerified: false })],
      [owner, createAuthenticator(origin).create(options, { type: 'webauthn.get' })],
      [
        owner,
        {
          ...createAuthenticator(origin).create(options),
          response: { clientDataJSON: 'e30', attestationObject: 'oA' },
        },
      ],
    ];
    for (const [who, response] of refusals) {
      assertRefused(await who.post('/api/auth/passkeys', { name: 'x', response }), 400, 400, ['response']);
    }
    assertRefused(await owner.post('/api/auth/passkeys', { name: 'x', response: { id: 7 } }), 400, 400, [
      'response.id',
      'response.rawId',
      'response.response',
      'response.type',
    ]);
    assert.deepEqual(assertRead(await owner.get('/api/auth/passkeys')).list, []);
    const once = createAuthenticator(origin).create(options);
    assertWritten(await owner.post('/api/auth/passkeys', { name: 'x', response: once }));
    assertRefused(await owner.post('/api/auth/passkeys', { name: 'y', response: once }), 400, 400, [
      'response',
    ]);
    const late = createAuthenticator(origin).create(await ask());
    gallery.travel(lifetime);
    assertRefused(await owner.post('/api/auth/passkeys', { name: 'x', response: late }), 400, 400, [
      'response',
    ]);
  });

  test('is hidden from other users, who cannot rename or delete it', async () => {
    const { id } = await add(createAuthenticator(origin));
    const other = await register(gallery, `other${people}`);
    assert.deepEqual(assertRead(await other.get('/api/auth/passkeys')).list, []);
    assertRefused(await other.put(`/api/auth/passkeys/${id}`, { name: 'mine' }), 404, 404);
    assertRefused(await other.delete(`/api/auth/passkeys/${id}`), 404, 404);
    assert.equal(assertRead(await owner.get('/api/auth/passkeys')).list[0].name, 'Phone');
  });

  test('signs nobody in while its account is disabled, and works again afterwards', async () => {
    const authenticator = await withPasskey();
    await disableAccount(gallery, owner);
    assertRefused(await signIn(authenticator), 403, 10004);
    await gallery.deps.db.kysely.updateTable('users').set({ status: 1 }).where('id', '=', owner.id).execute();
    assertWritten(await signIn(authenticator));
  });

  test('is never added by an API key, and there are twenty at most', async () => {
    const key = assertWritten(await owner.post('/api/auth/tokens', { name: 'k', scopes: ['read', 'write'] }));
    const program = createPerson(gallery, 'program', key.token, owner.id);
    assertRefused(await program.post('/api/auth/passkeys/options', { password }), 403, 403);
    assertRefused(await program.get('/api/auth/passkeys'), 403, 403);
    for (let n = 0; n < 20; n++) await add(createAuthenticator(origin), `n${n}`);
    const response = createAuthenticator(origin).create(await ask());
    assertRefused(await owner.post('/api/auth/passkeys', { name: 'more', response }), 400, 400, ['name']);
  });

  test('is not added by a session that has ended meanwhile', async () => {
    const here = await logIn(gallery, owner);
    const response = createAuthenticator(origin).create(await ask(here));
    assertDone(await here.post('/api/auth/logout'));
    assertRefused(await here.post('/api/auth/passkeys', { name: 'late', response }), 401, 10006);
  });
});
