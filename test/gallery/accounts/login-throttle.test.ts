import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { type Answer, asVisitor, password, register } from '../../support/people.ts';

/**
 * Maximum numbers of failed logins per minute: for one name from one IP address, and for all names from one
 * IP address.
 */
const perName = 10;
const perAddress = 50;

describe('guessing passwords', () => {
  let gallery: Gallery;

  before(async () => {
    gallery = await startGallery({ trustProxy: true });
  });
  after(() => gallery.close());

  const login = (address: string, username: string, secret = 'wrong password') =>
    asVisitor(gallery).send('POST', '/api/auth/login', {
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ username, password: secret }),
    });

  function assertSlowed(answer: Answer): void {
    assertRefused(answer, 429, 429);
    const seconds = Number(answer.headers.get('retry-after'));
    assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`);
  }

  test('is slowed for the account and the address, not for its owner elsewhere', async () => {
    await register(gallery, 'victim');
    for (let n = 0; n < perName; n++) assertRefused(await login('192.0.2.1', 'victim'), 401, 10003);
    assertSlowed(await login('192.0.2.1', 'victim'));
    assertSlowed(await login('192.0.2.1', 'VICTIM'));
    assertSlowed(await login('192.0.2.1', 'victim', password));

    assertWritten(await login('192.0.2.2', 'victim', password));
    await register(gallery, 'neighbour');
    assertWritten(await login('192.0.2.1', 'neighbour', password));
  });

  test('reads the same for a user who does not exist', async () => {
    await register(gallery, 'exists');
    for (let n = 0; n <= perName; n++) {
      const known = await login('192.0.2.3', 'exists');
      const unknown = await login('192.0.2.4', 'exists-not');
      assert.equal(unknown.status, known.status);
      assert.deepEqual(unknown.body, known.body);
    }
  });

  test('is slowed from many addresses at once, but not for the owner on a known device', async () => {
    await register(gallery, 'famous');
    assertWritten(await login('192.0.2.200', 'famous', password));
    const strangers = Array.from({ length: 26 }, (_, n) => `198.51.100.${n + 1}`);
    for (const address of strangers) {
      const tries = await Promise.all(Array.from({ length: 4 }, () => login(address, 'famous')));
      if (tries.some(({ status }) => status === 429)) break;
    }
    assertSlowed(await login('198.51.100.99', 'famous'));
    // The owner is refused as well from an IP address without a session of the account, because the server
    // cannot tell owner and guesser apart.
    assertSlowed(await login('198.51.100.99', 'famous', password));
    assertWritten(await login('192.0.2.200', 'famous', password));
  });

  test('does not tell which email belongs to a name', async () => {
    await register(gallery, 'private');
    const emails = ['private@example.org', 'private@elsewhere.example', 'nobody@example.org'];
    for (let n = 0; n < perName; n++) await login('192.0.2.20', 'private');
    for (const email of emails) assertRefused(await login('192.0.2.20', email), 401, 10003);
    for (let n = 0; n < perName; n++) await login('192.0.2.21', 'private@example.org');
    assertRefused(await login('192.0.2.21', 'private'), 401, 10003);
    // Failed logins from many IP addresses do not lock the account either.
    for (let n = 0; n < 11; n++) {
      const address = `203.0.113.${n}`;
      await Promise.all(Array.from({ length: perName }, () => login(address, 'PRIVATE')));
    }
    assertSlowed(await login('203.0.113.99', 'private'));
    for (const email of emails) assertRefused(await login('203.0.113.99', email), 401, 10003);
  });

  test('allows a burst no more attempts than a slow series', async () => {
    await register(gallery, 'stormed');
    const answers = await Promise.all(Array.from({ length: 25 }, () => login('192.0.2.5', 'stormed')));
    const refused = answers.filter(({ status }) => status === 401);
    assert.equal(refused.length, perName);
    for (const answer of answers.filter(({ status }) => status !== 401)) assertSlowed(answer);
  });

  test('restores the attempts after a success', async () => {
    await register(gallery, 'clumsy');
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 5; n++) assertRefused(await login('192.0.2.6', 'clumsy'), 401, 10003);
      assertWritten(await login('192.0.2.6', 'clumsy', password));
    }
  });

  test('slows many accounts from one address together', async () => {
    for (let n = 0; n < perAddress; n++) {
      assertRefused(await login('192.0.2.7', `sprayed-${n}`), 401, 10003);
    }
    assertSlowed(await login('192.0.2.7', 'sprayed-anew'));
    assertRefused(await login('192.0.2.8', 'sprayed-anew'), 401, 10003);
  });
});

test('ignores an address that a client makes up without a trusted proxy', async () => {
  const gallery = await startGallery();
  try {
    const statuses: number[] = [];
    for (let n = 0; n <= perName; n++) {
      const { status } = await asVisitor(gallery).send('POST', '/api/auth/login', {
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${n}` },
        body: JSON.stringify({ username: 'somebody', password: 'wrong password' }),
      });
      statuses.push(status);
    }
    assert.deepEqual(statuses, [...Array.from({ length: perName }, () => 401), 429]);
  } finally {
    await gallery.close();
  }
});
