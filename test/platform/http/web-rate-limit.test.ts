/** Tests the rate limit of browsers: all session cookies of an account share one limit, with its pages. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readConfig } from '../../../server/config.ts';
import { assertRead, assertRefused } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, logIn, type Person, password, register } from '../../support/people.ts';

const rateLimit = 8;
const webRateLimit = 20;

test('the limit of browsers is 600 at least, and none where the other limit is off', () => {
  const readLimits = (env: Record<string, string>) => {
    const config = readConfig(env);
    return [config.rateLimit, config.webRateLimit];
  };
  assert.deepEqual(readLimits({}), [60, 600]);
  assert.deepEqual(readLimits({ RATE_LIMIT: '30' }), [30, 600]);
  assert.deepEqual(readLimits({ RATE_LIMIT: '5000' }), [5000, 5000]);
  assert.deepEqual(readLimits({ RATE_LIMIT: '0' }), [0, 0]);
  assert.deepEqual(readLimits({ RATE_LIMIT: '0', WEB_RATE_LIMIT: '90' }), [0, 90]);
  assert.deepEqual(readLimits({ WEB_RATE_LIMIT: '0' }), [60, 0]);
  assert.throws(() => readConfig({ WEB_RATE_LIMIT: '-1' }), /WEB_RATE_LIMIT/);
});

describe('the rate limit of browsers', () => {
  let gallery: Gallery;
  before(async () => {
    gallery = await startGallery({ rateLimit, webRateLimit, trustProxy: true });
  });
  after(() => gallery?.close());

  async function signIn({ name }: Person): Promise<string> {
    const answer = await asVisitor(gallery).send('POST', '/api/auth/login', {
      body: JSON.stringify({ username: name, password, cookie: true }),
      headers: { 'Content-Type': 'application/json', Origin: gallery.url },
    });
    assert.equal(answer.status, 200);
    return answer.headers.getSetCookie()[0]!.split(';')[0]!;
  }
  const ask = (cookie: string, path = '/api/auth/user', others: Record<string, string> = {}) =>
    asVisitor(gallery).get(path, { cookie, ...others });
  const readLimits = ({ headers }: { headers: Headers }) =>
    ['limit', 'remaining'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));

  test('is one for all cookies of an account, and separate from the limit of its tokens', async () => {
    const ann = await register(gallery, 'ann');
    const cookies = [await signIn(ann), await signIn(ann)];
    for (let n = 1; n <= webRateLimit; n++) {
      const answer = await ask(cookies[n % 2]!, '/api/auth/user', { 'x-forwarded-for': `192.0.2.${n}` });
      assertRead(answer);
      assert.deepEqual(readLimits(answer), [webRateLimit, webRateLimit - n]);
    }
    for (const cookie of cookies) {
      const refused = await ask(cookie);
      assertRefused(refused, 429, 429);
      assert.deepEqual(readLimits(refused), [webRateLimit, 0]);
      const seconds = Number(refused.headers.get('retry-after'));
      assert.ok(seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`);
    }
    const answer = await ann.get('/api/auth/user');
    assertRead(answer);
    assert.equal(readLimits(answer)[0], rateLimit);
  });

  test('counts pages of the account, whose document is then without photos', async () => {
    const bob = await register(gallery, 'bob');
    const cookie = await signIn(bob);
    for (let n = 0; n < webRateLimit - 1; n++) await ask(cookie, '/');
    assert.deepEqual(readLimits(await ask(cookie)), [webRateLimit, 0]);
    assert.equal((await ask(cookie, '/')).status, 429);
  });

  test('does not count for tokens, wrong cookies and cookies of foreign pages', async () => {
    const cat = await register(gallery, 'cat');
    const cookie = await signIn(cat);
    const wrong = { 'x-forwarded-for': '192.0.2.90' };
    const [name] = cookie.split('=');
    for (let left = rateLimit - 1; left >= 0; left--)
      assert.deepEqual(readLimits(await ask(`${name}=guess-${left}`, '/api/photos', wrong)), [
        rateLimit,
        left,
      ]);
    assertRefused(await ask(`${name}=another-guess`, '/api/photos', wrong), 429, 429);

    const foreign = { 'x-forwarded-for': '192.0.2.91', 'sec-fetch-site': 'cross-site' };
    assert.equal(readLimits(await ask(cookie, '/api/photos', foreign))[0], rateLimit);
    const both = { authorization: `Bearer ${(await logIn(gallery, cat)).token}` };
    assert.equal(readLimits(await ask(cookie, '/api/auth/user', both))[0], rateLimit);
    assert.deepEqual(readLimits(await ask(cookie)), [webRateLimit, webRateLimit - 1]);
  });
});
