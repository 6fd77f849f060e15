/** Tests webhook deliveries that fail: retries and final states, with a clock that the tests move. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { startWebhookDispatcher } from '../../../server/gallery/webhooks/dispatcher.ts';
import { maxLoggedDeliveries, purgeDeliveries } from '../../../server/gallery/webhooks/purge.ts';
import { assertRead, assertWritten } from '../../support/assert-answers.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, disableAccount, type Person, register } from '../../support/people.ts';
import { startReceiver, verifySignature, type WebhookReceiver } from '../../support/webhook-receiver.ts';
import { addWebhook, awaitLatest, readDeliveries, settleWebhooks, skipTime } from '../../support/webhooks.ts';

const timeoutMs = 60_000;

describe('a delivery', () => {
  let gallery: Gallery;
  let receiver: WebhookReceiver;
  let stop: () => Promise<void>;
  let owner: Person;
  let fan: Person;
  let webhook: Awaited<ReturnType<typeof addWebhook>>;
  let people = 0;

  before(async () => {
    gallery = await startGallery({ webhookAllowPrivate: true });
    stop = startWebhookDispatcher(gallery.deps);
  });
  after(async () => {
    await stop();
    await gallery.close();
  });
  // Each test has its own users and target, so that no delivery of an earlier test disturbs it.
  beforeEach(async () => {
    receiver = await startReceiver();
    owner = await register(gallery, `owner${++people}`);
    fan = await register(gallery, `fan${people}`);
    webhook = await addWebhook(owner, receiver.url, { events: ['follow.created'] });
  });

  afterEach(() => receiver.close());

  /** Follows the owner and unfollows again, in two calls. */
  async function follow(by = fan): Promise<void> {
    for (let call = 0; call < 2; call++) await by.post(`/api/users/${owner.id}/follow`);
  }

  test('is logged as delivered when it is accepted', async () => {
    await follow();
    const [received] = await receiver.wait(1);
    assert.equal((verifySignature(webhook.secret, received!) as { type: string }).type, 'follow.created');
    const { headers } = received!;
    assert.equal(headers['content-type'], 'application/json');
    assert.match(headers['user-agent']!, /^Lightwell\/\d/);
    assert.throws(() => verifySignature(`whsec_${Buffer.alloc(32).toString('base64')}`, received!));

    const { id, event_id, create_time, last_attempt_time, duration_ms, ...rest } = await awaitLatest(
      owner,
      webhook,
      ({ status }) => assert.equal(status, 'delivered'),
    );
    assert.equal(event_id, headers['webhook-id']);
    assert.match(create_time + last_attempt_time, /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d){2}$/);
    assert.ok(id > 0 && duration_ms >= 0);
    assert.deepEqual(rest, {
      type: 'follow.created',
      status: 'delivered',
      attempts: 1,
      response_status: 200,
      error: '',
      next_attempt_time: '',
    });
    const log = await owner.get(`/api/webhooks/${webhook.id}/deliveries`);
    assert.ok(!log.bytes.includes('what the target says'), "a target's answer is not shown");
  });

  test('is sent again with the same id and body, later and later, when it is refused', async () => {
    receiver.answer = 503;
    await follow();
    const pauses = [5, 30, 120];
    for (const [index, pause] of pauses.entries()) {
      await settleWebhooks(gallery);
      const failed = await awaitLatest(owner, webhook, ({ status, attempts, error }) =>
        assert.deepEqual([status, attempts, error], ['pending', index + 1, 'The target responded with 503']),
      );
      const wait = secondsBetween(failed.last_attempt_time, failed.next_attempt_time);
      assert.ok(wait >= pause && wait <= pause * 1.2 + 2, `${wait} s after attempt ${index + 1}`);
      skipTime(gallery, wait + 1);
      await receiver.wait(index + 2);
    }
    await settleWebhooks(gallery);
    receiver.answer = 200;
    await awaitLatest(owner, webhook, ({ attempts, status }) =>
      assert.deepEqual([attempts, status], [pauses.length + 1, 'pending']),
    );
    const failing = assertRead(await owner.get(`/api/webhooks/${webhook.id}`));
    assert.deepEqual([failing.is_failing, failing.is_active], [false, 1]);
    assert.match(failing.failing_since, /^\d{4}/);
    skipTime(gallery, 1000);
    await awaitLatest(owner, webhook, ({ status }) => assert.equal(status, 'delivered'));
    const seen = receiver.received.map(({ headers, body }) => headers['webhook-id'] + body);
    assert.equal(new Set(seen).size, 1);
    const signed = receiver.received.map(({ headers }) => headers['webhook-timestamp']);
    assert.equal(new Set(signed).size, signed.length, 'each attempt is signed at its own time');
    assert.equal(assertRead(await owner.get(`/api/webhooks/${webhook.id}`)).failing_since, '');
  });

  test('is given up after a day of failures, and its webhook is marked', async () => {
    receiver.answer = 500;
    await follow();
    let attempts = 0;
    for (let hours = 0; hours <= 30; hours++) {
      await settleWebhooks(gallery);
      const [delivery] = await readDeliveries(owner, webhook);
      attempts = delivery.attempts;
      if (delivery.status === 'failed') break;
      skipTime(gallery, 3600);
    }
    const { status, next_attempt_time } = await awaitLatest(owner, webhook, () => {});
    assert.deepEqual([status, next_attempt_time], ['failed', '']);
    assert.ok(attempts >= 6 && attempts <= 12, `${attempts} attempts`);
    // A day later, the list still reports that no delivery has succeeded.
    skipTime(gallery, 86_400);
    const marked = assertRead(await owner.get(`/api/webhooks/${webhook.id}`));
    assert.deepEqual([marked.is_failing, marked.is_active], [true, 1]);
    assert.equal(receiver.received.length, attempts);
  });

  test('answered by 410 is the last one', async () => {
    receiver.answer = 410;
    await follow();
    await awaitLatest(owner, webhook, ({ status, attempts }) =>
      assert.deepEqual([status, attempts], ['failed', 1]),
    );
    const { is_active, disabled_reason } = assertRead(await owner.get(`/api/webhooks/${webhook.id}`));
    assert.deepEqual([is_active, disabled_reason], [0, 'gone']);
    await follow();
    skipTime(gallery, 86_400);
    await settleWebhooks(gallery);
    assert.equal(receiver.received.length, 1);

    receiver.answer = 200;
    const on = assertWritten(await owner.put(`/api/webhooks/${webhook.id}`, { is_active: 1 }));
    assert.deepEqual([on.is_active, on.disabled_reason, on.failing_since], [1, '', '']);
    await follow();
    await receiver.wait(2);
  });

  test('a redirect is a failure, and leads nowhere', async () => {
    receiver.answer = (response) => response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end();
    await follow();
    await awaitLatest(owner, webhook, ({ status, response_status, error }) =>
      assert.deepEqual([status, response_status, error], ['pending', 302, 'The target responded with 302']),
    );
    assert.deepEqual(
      receiver.received.map(({ path }) => path),
      ['/'],
    );
  });

  test('is not sent for a disabled account', async () => {
    receiver.answer = 500;
    await follow();
    await awaitLatest(owner, webhook, ({ attempts }) => assert.equal(attempts, 1));
    await settleWebhooks(gallery);
    await disableAccount(gallery, owner);
    skipTime(gallery, 600);
    await eventually(async () => {
      const row = await gallery.deps.db.kysely
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('webhook_id', '=', webhook.id)
        .executeTakeFirstOrThrow();
      assert.deepEqual([row.status, row.error], ['failed', 'Not sent: the webhook is not active']);
    }, timeoutMs);
    assert.equal(receiver.received.length, 1);
  });

  test('is made anew when asked for: another row, the same id', async () => {
    await follow();
    const first = await awaitLatest(owner, webhook, ({ status }) => assert.equal(status, 'delivered'));
    const again = assertWritten(
      await owner.post(`/api/webhooks/${webhook.id}/deliveries/${first.id}/redeliver`),
    );
    assert.deepEqual([again.status, again.attempts, again.event_id], ['pending', 0, first.event_id]);
    const [one, other] = await receiver.wait(2);
    assert.equal(one!.headers['webhook-id'], other!.headers['webhook-id']);
    assert.equal(one!.body, other!.body);
    const tested = assertWritten(await owner.post(`/api/webhooks/${webhook.id}/test`));
    const [event] = await receiver.wait(1, 'webhook.test');
    assert.deepEqual(event!.event.data, { webhook_id: webhook.id });
    await settleWebhooks(gallery);
    const log = assertRead(await owner.get(`/api/webhooks/${webhook.id}/deliveries?limit=2`));
    assert.deepEqual(
      log.list.map(({ id }: { id: number }) => id),
      [tested.id, again.id],
    );
    assert.deepEqual(log.pagination, { page: 1, limit: 2, total: 3, pages: 2 });
  });

  test('one dead target does not keep the others waiting', async () => {
    receiver.answer = () => {};
    const dead = Array.from({ length: 9 }, (_, number) =>
      addWebhook(owner, `${receiver.url}/${number}`, { events: ['follow.created'] }),
    );
    await Promise.all(dead);
    for (let round = 0; round < 5; round++) await follow();
    await receiver.wait(6);

    const other = await startReceiver();
    try {
      const neighbour = await register(gallery, 'neighbour');
      await addWebhook(neighbour, other.url);
      await fan.post('/api/users/neighbour/follow');
      const [received] = await other.wait(1);
      assert.equal(received!.event.type, 'follow.created');
      // Asserts that attempts at unreachable targets never exceeded the number of parallel attempts per user.
      assert.equal(receiver.received.length, 6);
    } finally {
      await other.close();
    }
  });

  test('the queue of a target that fails waits as a whole', async () => {
    receiver.answer = 500;
    for (let round = 0; round < 20; round++) await follow();
    await settleWebhooks(gallery);
    const attempts = receiver.received.length;
    const resume = await gallery.deps.db.kysely
      .selectFrom('webhooks')
      .select('resume_time')
      .where('id', '=', webhook.id)
      .executeTakeFirstOrThrow();
    assert.ok(resume.resume_time > gallery.deps.clock());
    await follow();
    const { next_attempt_time, attempts: none } = await awaitLatest(owner, webhook, () => {});
    assert.equal(none, 0, 'an event that comes meanwhile waits too');
    assert.ok(Date.parse(`${next_attempt_time}Z`) / 1000 >= resume.resume_time);
    assert.ok(attempts < 20, `${attempts} attempts at 20 deliveries`);
    receiver.answer = 200;
    for (let round = 0; round < 10; round++) {
      skipTime(gallery, 3600); // Moves the clock by the longest pause of a target.
      await settleWebhooks(gallery);
    }
    const log = await readDeliveries(owner, webhook);
    assert.deepEqual([...new Set(log.map(({ status }) => status))], ['delivered'], JSON.stringify(log[0]));
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    assert.equal(ids.size, 21);
  });

  test('the log is bounded in number and in time, and what waits stays', async () => {
    const { kysely } = gallery.deps.db;
    await follow();
    await settleWebhooks(gallery);
    const last = await kysely
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('webhook_id', '=', webhook.id)
      .executeTakeFirstOrThrow();
    const { id: _, ...row } = last;
    const rows = Array.from({ length: 500 }, () => row);
    for (let batch = 0; batch < 3; batch++)
      await kysely.insertInto('webhook_deliveries').values(rows).execute();
    const waiting = { ...row, status: 'pending' as const, due_time: 2 ** 37, create_time: 1 };
    await kysely.insertInto('webhook_deliveries').values(waiting).execute();
    const total = async () =>
      assertRead(await owner.get(`/api/webhooks/${webhook.id}/deliveries`)).pagination.total;
    assert.equal(await total(), 1502);
    assert.ok((await purgeDeliveries(gallery.deps, undefined)) >= 501);
    assert.equal(await total(), maxLoggedDeliveries + 1);
    gallery.travel(31 * 86_400);
    const { body } = await asVisitor(gallery).post('/api/auth/login', {
      username: owner.name,
      password: 'correct horse 7',
    });
    await purgeDeliveries(gallery.deps, undefined);
    const left = await owner.get(`/api/webhooks/${webhook.id}/deliveries`, {
      authorization: `Bearer ${body.data.token}`,
    });
    assert.equal(assertRead(left).pagination.total, 1);
  });

  test('/metrics counts attempts by outcome and what waits', async () => {
    const text = (await asVisitor(gallery).get('/metrics')).bytes.toString();
    for (const outcome of ['delivered', 'retried', 'failed', 'dropped']) {
      const line = new RegExp(
        `^lightwell_webhook_attempts_total\\{outcome="${outcome}"\\} ([1-9]\\d*)$`,
        'm',
      );
      assert.match(text, line);
    }
    assert.match(text, /^lightwell_webhook_deliveries_waiting \d+$/m);
    assert.doesNotMatch(text, /127\.0\.0\.1:/);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});

function secondsBetween(from: string, to: string): number {
  return (Date.parse(`${to}Z`) - Date.parse(`${from}Z`)) / 1000;
}
