import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertRead, assertRefused } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  type Answer,
  addPhoto,
  asVisitor,
  createPerson,
  type Person,
  register,
} from '../../support/people.ts';

const limit = 12;

describe('the rate limit', () => {
  let gallery: Gallery;
  let owner: Person;
  let photo: { id: number; thumb: string };

  before(async () => {
    gallery = await startGallery({ rateLimit: limit, trustProxy: true });
    owner = await register(gallery, 'owner');
    photo = await addPhoto(owner, { title: 'Limited' });
  });
  after(() => gallery.close());

  const from = (address: string, path = '/api/photos', more: Record<string, string> = {}) =>
    asVisitor(gallery).get(path, { 'x-forwarded-for': address, ...more });

  function readLimit({ headers }: Answer) {
    const [max, left, reset] = ['Limit', 'Remaining', 'Reset'].map((name) => {
      const text = headers.get(`X-RateLimit-${name}`);
      assert.match(text ?? '', /^\d+$/, `X-RateLimit-${name}`);
      return Number(text);
    });
    return { max: max!, left: left!, reset: reset! };
  }

  test('says on every answer how much is left, and until when', async () => {
    const now = Date.now() / 1000;
    for (let n = 1; n <= limit; n++) {
      const { max, left, reset } = readLimit(await from('192.0.2.1'));
      assert.deepEqual([max, left], [limit, limit - n]);
      assert.ok(reset >= Math.floor(now) + 55 && reset <= now + 70, `${reset} is Unix seconds`);
    }
    const refused = await from('192.0.2.1');
    assertRefused(refused, 429, 429);
    const { left, reset } = readLimit(refused);
    assert.equal(left, 0);
    const wait = Number(refused.headers.get('retry-after'));
    assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= 60, `Retry-After: ${wait}`);
    assert.ok(Math.abs(reset - (Date.now() / 1000 + wait)) <= 2, 'both say the same time');
  });

  test('counts errors, unknown paths and other methods', async () => {
    const calls = [
      () => from('192.0.2.2', '/api/photos/x'),
      () => from('192.0.2.2', '/api/photos/999'),
      () => from('192.0.2.2', '/api/auth/user'),
      () => from('192.0.2.2', '/api/nothing'),
      () => from('192.0.2.2', '/api/auth/login'),
      () => from('192.0.2.2', '/api/photos', { authorization: 'Bearer nonsense' }),
    ];
    for (const [index, call] of calls.entries())
      assert.equal(readLimit(await call()).left, limit - 1 - index);
  });

  test("is the user's with a valid token, wherever they are, else the address's", async () => {
    const [ada, bob] = [await registerFrom('192.0.2.3', 'ada'), await registerFrom('192.0.2.3', 'bob')];
    const ask = (who: Person, address: string) => who.get('/api/auth/user', { 'x-forwarded-for': address });
    for (let n = 1; n <= limit; n++)
      assert.equal(readLimit(await ask(ada, `192.0.2.${100 + n}`)).left, limit - n);
    assertRefused(await ask(ada, '192.0.2.199'), 429, 429);
    assertRead(await ask(bob, '192.0.2.112'));
    assert.equal(readLimit(await from('192.0.2.112')).left, limit - 1, 'the address spent nothing');

    for (let n = 0; n < limit; n++)
      await from('192.0.2.4', '/api/photos', { authorization: `Bearer guess-${n}` });
    const guessed = await from('192.0.2.4', '/api/photos', { authorization: 'Bearer another-guess' });
    assertRefused(guessed, 429, 429);
    assertRead(await ask(bob, '192.0.2.4'));
  });

  async function registerFrom(address: string, name: string): Promise<Person> {
    const body = JSON.stringify({ username: name, email: `${name}@example.org`, password: 'secret enough' });
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    const answer = await asVisitor(gallery).send('POST', '/api/auth/register', { body, headers });
    assert.equal(answer.status, 200);
    const { token, user } = answer.body.data;
    return createPerson(gallery, name, token, user.id);
  }

  test('a burst of calls gets no more than slow calls', async () => {
    const answers = await Promise.all(Array.from({ length: limit * 2 }, () => from('192.0.2.5')));
    assert.equal(answers.filter(({ status }) => status === 200).length, limit);
    assert.equal(answers.filter(({ status }) => status === 429).length, limit);
  });

  test('counts calls under /api only, and refuses nothing else', async () => {
    for (let n = 0; n <= limit; n++) await from('192.0.2.6');
    assertRefused(await from('192.0.2.6'), 429, 429);
    for (const path of [photo.thumb, '/health', '/health/live', '/docs', '/openapi.json', '/metrics']) {
      const answer = await from('192.0.2.6', path);
      assert.equal(answer.status, 200, path);
      assert.equal(answer.headers.get('x-ratelimit-limit'), null, path);
    }
    const page = await from('192.0.2.6', '/s/nothing');
    assert.equal(page.status, 404);
    assert.equal(page.headers.get('x-ratelimit-limit'), null);
    for (let n = 0; n < limit * 2; n++) await from('192.0.2.7', photo.thumb);
    assert.equal(readLimit(await from('192.0.2.7')).left, limit - 1);
  });

  test('a refused call does nothing', async () => {
    const fan = await registerFrom('192.0.2.8', 'fan');
    for (let n = 0; n < limit; n++) await fan.get('/api/auth/user');
    assertRefused(await fan.post(`/api/photos/${photo.id}/like`), 429, 429);
    assertRefused(await fan.upload(Buffer.from('x')), 429, 429);
    assert.equal(assertRead(await from('192.0.2.9', `/api/photos/${photo.id}`)).likes, 0);
  });
});

test('RATE_LIMIT=0 sets no limit, and a forged address has no effect', async () => {
  const [free, strict] = [await startGallery({ rateLimit: 0 }), await startGallery({ rateLimit: 3 })];
  try {
    for (let n = 0; n < 100; n++) {
      const { status, headers } = await asVisitor(free).get('/api/photos');
      assert.equal(status, 200);
      assert.equal(headers.get('x-ratelimit-limit'), null);
    }
    const statuses: number[] = [];
    for (let n = 0; n < 5; n++) {
      statuses.push(
        (await asVisitor(strict).get('/api/photos', { 'x-forwarded-for': `192.0.2.${n}` })).status,
      );
    }
    assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
  } finally {
    await free.close();
    await strict.close();
  }
});
