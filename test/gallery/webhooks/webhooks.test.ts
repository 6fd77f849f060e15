/**
 * Tests the webhook endpoints: create, read, update and delete, their errors, and the secrets that they never
 * return.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { createPerson, type Person, register } from '../../support/people.ts';
import { addWebhook } from '../../support/webhooks.ts';

const url = 'https://example.org/hook';
const events = ['photo.created', 'like.created'];

describe('webhooks', () => {
  let gallery: Gallery;
  let owner: Person;
  let stranger: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    stranger = await register(gallery, 'stranger');
  });
  after(() => gallery.close());

  test('the secret is shown when it is made, and nowhere afterwards', async () => {
    const made = assertWritten(await owner.post('/api/webhooks', { url, events, description: 'my site' }));
    const { id, secret, create_time, ...rest } = made;
    assert.match(create_time, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    assert.deepEqual(rest, {
      url,
      events,
      description: 'my site',
      is_active: 1,
      disabled_reason: '',
      is_failing: false,
      failing_since: '',
    });
    assert.match(secret, /^whsec_/);
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64').length;
    assert.ok(bytes >= 24 && bytes <= 64, `${bytes}`);

    const list = await owner.get('/api/webhooks');
    assert.deepEqual(
      assertRead(list).list.map((webhook: { id: number }) => webhook.id),
      [id],
    );
    const one = await owner.get(`/api/webhooks/${id}`);
    assert.deepEqual(assertRead(one), { id, create_time, ...rest });
    const changed = await owner.put(`/api/webhooks/${id}`, { events: ['photo.deleted'] });
    assert.deepEqual(assertWritten(changed).events, ['photo.deleted']);
    for (const answer of [list, one, changed]) {
      assert.ok(!answer.bytes.includes('whsec_') && !answer.bytes.includes(secret.slice(6, 20)));
    }
    assert.deepEqual(assertRead(await stranger.get('/api/webhooks')).list, []);
  });

  test('a new secret is shown once, and is another one', async () => {
    const { id, secret } = await addWebhook(owner, url);
    const rotated = assertWritten(await owner.put(`/api/webhooks/${id}`, { rotate_secret: true }));
    assert.match(rotated.secret, /^whsec_/);
    assert.notEqual(rotated.secret, secret);
    const { description, ...unchanged } = assertWritten(
      await owner.put(`/api/webhooks/${id}`, { description: 'later' }),
    );
    assert.equal(description, 'later');
    assert.ok(!('secret' in unchanged));
    assert.equal(unchanged.url, url);
  });

  test('is deleted by its owner, once, with its log', async () => {
    const { id } = await addWebhook(owner, url);
    assertWritten(await owner.post(`/api/webhooks/${id}/test`));
    assertRefused(await stranger.delete(`/api/webhooks/${id}`), 404, 70001);
    assertDone(await owner.delete(`/api/webhooks/${id}`));
    assertRefused(await owner.delete(`/api/webhooks/${id}`), 404, 70001);
    assertRefused(await owner.get(`/api/webhooks/${id}/deliveries`), 404, 70001);
    const left = gallery.deps.db.kysely.selectFrom('webhook_deliveries').selectAll();
    assert.deepEqual(await left.where('webhook_id', '=', id).execute(), []);
  });

  test('an API key that may read reads, one that may write changes', async () => {
    const { id } = await addWebhook(owner, url);
    const key = async (scopes: string[]) => {
      const made = assertWritten(await owner.post('/api/auth/tokens', { name: scopes.join(), scopes }));
      return createPerson(gallery, 'program', made.token, owner.id);
    };
    const reader = await key(['read']);
    assert.equal(assertRead(await reader.get(`/api/webhooks/${id}`)).id, id);
    assertRefused(await reader.put(`/api/webhooks/${id}`, { description: 'x' }), 403, 403);
    assertRefused(await reader.post('/api/webhooks', { url, events }), 403, 403);
    const writer = await key(['read', 'write']);
    assertWritten(await writer.put(`/api/webhooks/${id}`, { description: 'by a program' }));
    assertDone(await writer.delete(`/api/webhooks/${id}`));
  });

  test('targets that are no web addresses, or not public, are refused by name', async () => {
    const hosts = [
      ...['127.0.0.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0.0.0.0', '10.1.2.3'],
      ...['172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '100.100.100.200', '224.0.0.1'],
      ...['255.255.255.255', '168.63.129.16', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
      ...[
        '[::ffff:8.8.8.8]',
        '[fe80::1]',
        '[fd00:ec2::254]',
        '[64:ff9b::7f00:1]',
        '[64:ff9b:1::1]',
        '[ff02::1]',
      ],
      ...['[2002:7f00:1::]', '[2001::1]', '[fec0::1]', '[::127.0.0.1]', '127。0。0。1', '①②⑦.⓪.⓪.①'],
    ];
    const before = assertRead(await owner.get('/api/webhooks')).list;
    for (const host of hosts) {
      for (const target of [`http://${host}/`, `https://${host}:8443/x`]) {
        assertRefused(await owner.post('/api/webhooks', { url: target, events }), 400, 400, ['url']);
      }
    }
    const others = [
      '',
      'nonsense',
      '/relative',
      'ftp://example.org/',
      'file:///etc/passwd',
      'javascript:alert(1)',
    ];
    const withSecrets = ['https://user:word@example.org/', 'https://user@example.org/'];
    const tooLong = [`https://example.org/${'x'.repeat(2000)}`, `https://example.org/${'ü'.repeat(700)}`];
    for (const target of [...others, ...withSecrets, ...tooLong]) {
      assertRefused(await owner.post('/api/webhooks', { url: target, events }), 400, 400, ['url']);
    }
    assert.deepEqual(assertRead(await owner.get('/api/webhooks')).list, before);
    const { id } = await addWebhook(owner, 'http://EXAMPLE.org:8080/a b');
    assertRefused(await owner.put(`/api/webhooks/${id}`, { url: 'http://10.0.0.1/' }), 400, 400, ['url']);
    assert.equal(assertRead(await owner.get(`/api/webhooks/${id}`)).url, 'http://example.org:8080/a%20b');
    assertDone(await owner.delete(`/api/webhooks/${id}`));
  });

  test('every other bad field is named', async () => {
    const wrong = { url: 7, events: ['photo.viewed'], description: 'x'.repeat(201), is_active: 2 };
    const fields = ['description', 'events.0', 'is_active', 'url'];
    assertRefused(await owner.post('/api/webhooks', wrong), 400, 400, fields);
    assertRefused(await owner.post('/api/webhooks', {}), 400, 400, ['events', 'url']);
    for (const few of [[], ['like.created', 'like.created']]) {
      assertRefused(await owner.post('/api/webhooks', { url, events: few }), 400, 400, ['events']);
    }
    assertRefused(await owner.get('/api/webhooks/x'), 400, 400, ['id']);
    assertRefused(await owner.get('/api/webhooks/9007199254740991'), 404, 70001);
  });

  test('there are ten at most, also when they are made at once', async () => {
    const collector = await register(gallery, 'collector');
    const answers = await Promise.all(
      Array.from({ length: 14 }, () => collector.post('/api/webhooks', { url, events })),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    assert.equal(refused.length, 4);
    for (const answer of refused) assertRefused(answer, 400, 400, ['url']);
    assert.equal(assertRead(await collector.get('/api/webhooks')).list.length, 10);
  });

  test('answer 404 for unknown deliveries, and send nothing when they are turned off', async () => {
    const { id } = await addWebhook(owner, url, { is_active: 0 });
    const other = await addWebhook(stranger, url);
    const foreign = assertWritten(await stranger.post(`/api/webhooks/${other.id}/test`));
    assertRefused(await owner.post(`/api/webhooks/${id}/deliveries/${foreign.id}/redeliver`), 404, 70002);
    assertRefused(
      await owner.post(`/api/webhooks/${other.id}/deliveries/${foreign.id}/redeliver`),
      404,
      70001,
    );
    assertRefused(await owner.post(`/api/webhooks/${id}/test`), 409, 70003);
    assert.deepEqual(assertRead(await owner.get(`/api/webhooks/${id}/deliveries`)), {
      list: [],
      pagination: { page: 1, limit: 20, total: 0, pages: 0 },
    });
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
