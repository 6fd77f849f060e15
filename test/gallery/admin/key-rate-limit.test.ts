/** Tests the rate limit that an admin sets for an API key, e.g. for the back end of a site. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { testRights } from '../../contract/steps/rights-walk.ts';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { createPerson, logIn, type Person, register, registerAdmin } from '../../support/people.ts';

testRights([
  {
    endpoint: 'GET /api/admin/users/{id}/tokens',
    codes: [401, 403, 403, 10006, 0],
    ask: (who, { owner }) => who.get(`/api/admin/users/${owner}/tokens`),
  },
  {
    endpoint: 'PUT /api/admin/tokens/{id}',
    // The rights walk creates no API key, so an admin gets 404.
    codes: [401, 403, 403, 10006, 404],
    ask: (who) => who.put('/api/admin/tokens/999999', { rate_limit: 5 }),
  },
]);

describe('the rate limit of an API key', () => {
  let gallery: Gallery;
  let root: Person;
  let ann: Person;

  before(async () => {
    gallery = await startGallery({ rateLimit: 20 });
    root = await registerAdmin(gallery, 'root');
    ann = await register(gallery, 'ann');
  });
  after(() => gallery?.close());

  async function createKey(name: string): Promise<Person & { keyId: number }> {
    const fresh = await logIn(gallery, ann);
    const key = assertWritten(await fresh.post('/api/auth/tokens', { name, scopes: ['read', 'write'] }));
    return { ...createPerson(gallery, name, key.token, ann.id), keyId: key.id };
  }

  const setLimit = (id: number, body: object, who = root) => who.put(`/api/admin/tokens/${id}`, body);
  const readLimits = ({ headers }: { headers: Headers }) =>
    ['limit', 'remaining'].map((name) => headers.get(`x-ratelimit-${name}`));

  test('replaces the limit of the account for this key alone, and is told in the headers', async () => {
    gallery.deps.config.rateLimit = 20;
    const site = await createKey('site');
    const other = await createKey('other');
    assert.deepEqual(readLimits(await site.get('/api/photos'))[0], '20');
    const saved = assertWritten(await setLimit(site.keyId, { rate_limit: 3 }));
    assert.deepEqual([saved.name, saved.rate_limit], ['site', 3]);
    for (const left of ['2', '1', '0'])
      assert.deepEqual(readLimits(await site.get('/api/photos')), ['3', left]);
    const refused = await site.get('/api/photos');
    assertRefused(refused, 429, 429);
    assert.deepEqual(readLimits(refused), ['3', '0']);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal(readLimits(await other.get('/api/photos'))[0], '20');

    assertWritten(await setLimit(site.keyId, { rate_limit: 5 }));
    assert.equal((await site.get('/api/photos')).status, 200, 'a wider limit applies at once');
    assertWritten(await setLimit(site.keyId, { rate_limit: 0 }));
    for (let n = 0; n < 70; n++) {
      const answer = await site.get('/api/photos');
      assert.deepEqual([answer.status, readLimits(answer)], [200, [null, null]]);
    }
    assertWritten(await setLimit(site.keyId, { rate_limit: null }));
    assert.equal(readLimits(await site.get('/api/photos'))[0], '20');
  });

  test('is listed for admins without the key, and each change is an act in the audit log', async () => {
    const key = await createKey('logged');
    assertWritten(await setLimit(key.keyId, { rate_limit: 600 }));
    assertWritten(await setLimit(key.keyId, { rate_limit: 600 }));
    const answer = await root.get(`/api/admin/users/${ann.id}/tokens`);
    const [listed] = assertRead(answer).list;
    assert.deepEqual([listed.id, listed.name, listed.rate_limit], [key.keyId, 'logged', 600]);
    assert.ok(!answer.bytes.includes(key.token!));
    const logs = assertRead(await root.get('/api/admin/logs?action=key.update&limit=100')).list;
    const own = logs.filter(({ details }: { details: { key: number } }) => details.key === key.keyId);
    assert.equal(own.length, 1);
    assert.deepEqual(own[0].details, { key: key.keyId, rate_limit: 600 });
    assert.deepEqual([own[0].actor.username, own[0].target.name], ['root', 'ann']);
  });

  test('is refused for wrong values, unknown keys and accounts, and API keys of admins', async () => {
    const key = await createKey('strict');
    for (const rate_limit of [-1, 1.5, '60', 1_000_000_001, true, undefined])
      assert.equal((await setLimit(key.keyId, { rate_limit })).status, 400, String(rate_limit));
    assertRefused(await setLimit(999_999, { rate_limit: 1 }), 404, 404);
    assertRefused(await root.get('/api/admin/users/999999/tokens'), 404, 50001);
    const admin = await logIn(gallery, root);
    const { token } = assertWritten(
      await admin.post('/api/auth/tokens', { name: 'k', scopes: ['read', 'write'] }),
    );
    const robot = createPerson(gallery, 'robot', token, root.id);
    assertRefused(await setLimit(key.keyId, { rate_limit: 0 }, robot), 403, 403);
  });
});
