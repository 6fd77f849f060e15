import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { owaspCosts } from '../../../server/config.ts';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, disableAccount, logIn, type Person, password, register } from '../../support/people.ts';
import { exchangeRaw } from '../../support/raw.ts';

const week = 604_800;

describe('tokens', () => {
  let gallery: Gallery;
  let owner: Person;

  before(async () => {
    gallery = await startGallery({ passwordCosts: owaspCosts });
    owner = await register(gallery, 'owner');
  });
  after(() => gallery.close());

  const ask = (authorization: string, path = '/api/auth/user') =>
    asVisitor(gallery).get(path, { authorization });

  /** Sends the header lines byte for byte, because HTTP clients join repeated headers. */
  const askRaw = (lines: string[]) =>
    exchangeRaw(
      gallery,
      `GET /api/auth/user HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`,
    );

  const jwt = (header: object, body: object) =>
    [header, body].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');

  function badTokens(): string[] {
    const token = owner.token!;
    return [
      'Bearer null',
      'Bearer undefined',
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token.slice(1)}`,
      `Bearer ${token}A`,
      `Bearer ${token} extra`,
      `Bearer ${token}, Bearer ${token}`,
      `Bearer ${token.toLowerCase()}`,
      `Bearer ${token.at(0) === 'A' ? 'B' : 'A'}${token.slice(1)}`,
      `Bearer ${randomBytes(32).toString('base64url')}`,
      `Bearer ${createHash('sha256').update(token).digest('hex')}`,
      `Bearer ${jwt({ alg: 'none' }, { uid: 1, sub: owner.id })}.`,
      `Bearer ${jwt({ alg: 'HS256' }, { uid: owner.id, is_admin: true })}.c2lnbmF0dXJl`,
      `Bearer ${"' OR '1'='1".repeat(4)}`,
      'Bearer %00',
      `Bearer ${'a'.repeat(8000)}`,
    ];
  }

  test('a bad one is 10006, also where a token is optional', async () => {
    for (const authorization of badTokens()) {
      assertRefused(await ask(authorization), 401, 10006);
      assertRefused(await ask(authorization, '/api/photos'), 401, 10006);
      assertRefused(await ask(authorization, '/api/photos/1'), 401, 10006);
    }
    assertRefused(await asVisitor(gallery).get('/api/auth/user'), 401, 401);
    assertRead(await asVisitor(gallery).get('/api/photos'));
  });

  test('the scheme is read in any case, the token in its own', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer', 'bEARER ']) {
      assert.equal(assertRead(await ask(`${scheme} ${owner.token}`)).id, owner.id);
    }
  });

  test('login and register look at no token', async () => {
    for (const [index, authorization] of badTokens().slice(0, 3).entries()) {
      const headers = { authorization, 'content-type': 'application/json' };
      const name = `ignored-${index}`;
      const body = JSON.stringify({ username: name, email: `${name}@example.org`, password });
      assertWritten(await asVisitor(gallery).send('POST', '/api/auth/register', { headers, body }));
      assertWritten(await asVisitor(gallery).send('POST', '/api/auth/login', { headers, body }));
    }
  });

  test('are read from the first of two headers alone', async () => {
    const other = await register(gallery, 'other');
    const good = `Authorization: Bearer ${owner.token}`;
    const bad = 'Authorization: Bearer nonsense';
    const refused = await askRaw([bad, good]);
    assert.deepEqual([refused.status, refused.body.code], [401, 10006]);
    const first = await askRaw([good, `Authorization: Bearer ${other.token}`]);
    assert.ok(first.status === 401 || first.body.data.id === owner.id, first.text);
    const huge = await askRaw([`Authorization: Bearer ${'a'.repeat(100_000)}`]);
    assert.deepEqual([huge.status, huge.body.code], [431, 431]);
  });

  test('are kept as hashes only', async () => {
    const rows = await gallery.deps.db.kysely.selectFrom('sessions').selectAll().execute();
    assert.ok(rows.length > 0);
    assert.ok(
      rows.some(({ token_hash }) => token_hash === createHash('sha256').update(owner.token!).digest('hex')),
    );
    const users = await gallery.deps.db.kysely.selectFrom('users').selectAll().execute();
    const stored = JSON.stringify([rows, users]);
    assert.ok(!stored.includes(owner.token!), 'the token itself');
    assert.ok(!stored.includes(password), 'the password itself');
    for (const { password_hash } of users) {
      assert.match(password_hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    }
    assert.equal(new Set(users.map(({ password_hash }) => password_hash)).size, users.length, 'salted');
  });

  test('end when they have expired', async () => {
    const person = await register(gallery, 'traveller');
    gallery.travel(week - 60);
    assertRead(await person.get('/api/auth/user'));
    const later = await logIn(gallery, person);
    gallery.travel(61);
    assertRefused(await person.get('/api/auth/user'), 401, 10006);
    assertRefused(await person.get('/api/photos'), 401, 10006);
    assertRead(await later.get('/api/auth/user'));
    owner = await logIn(gallery, owner);
  });

  test('end at once when the account is disabled, and do not come back', async () => {
    const person = await register(gallery, 'unwelcome');
    assertRead(await person.get('/api/photos'));
    await disableAccount(gallery, person);
    assertRefused(await person.get('/api/auth/user'), 401, 10006);
    assertRefused(await person.get('/api/photos'), 401, 10006);
    assertRefused(await person.put('/api/auth/profile', { bio: 'still here' }), 401, 10006);
  });

  test('each person has at most a hundred; the least recently used goes', async () => {
    const person = await register(gallery, 'collector');
    const { id } = person;
    const expire_time = gallery.deps.clock() + week;
    await gallery.deps.db.kysely
      .insertInto('sessions')
      .values(
        Array.from({ length: 99 }, (_, n) => ({
          user_id: id,
          token_hash: `old-${n}`,
          user_agent: '',
          ip: '',
          create_time: 0,
          last_used_time: 0,
          expire_time,
        })),
      )
      .execute();
    const another = await logIn(gallery, person);
    assertRead(await another.get('/api/auth/user'));
    assertRead(await person.get('/api/auth/user'));
    const unused = await gallery.deps.db.kysely
      .selectFrom('sessions')
      .select('token_hash')
      .where('user_id', '=', id)
      .where('token_hash', 'like', 'old-%')
      .execute();
    assert.deepEqual([unused.length, unused.some(({ token_hash }) => token_hash === 'old-0')], [98, false]);
    const left = await gallery.deps.db.kysely
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', id)
      .execute();
    assert.equal(left.length, 100);
  });
});

test('TOKEN_TTL is how long they last, and what login says of it', async () => {
  const gallery = await startGallery({ tokenTtl: 120 });
  try {
    const person = await register(gallery, 'brief');
    const { body } = await asVisitor(gallery).post('/api/auth/login', { username: 'brief', password });
    assert.equal(body.data.expires_in, 120);
    gallery.travel(100);
    assertRead(await person.get('/api/auth/user'));
    gallery.travel(21);
    assertRefused(await person.get('/api/auth/user'), 401, 10006);
  } finally {
    await gallery.close();
  }
});
