/** A delivery that kills every process is not retried forever. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startWebhookDispatcher } from '../../../server/gallery/webhooks/dispatcher.ts';
import { deliveryLeaseSeconds } from '../../../server/gallery/webhooks/lease-deliveries.ts';
import { maxOutboxAttempts } from '../../../server/platform/outbox/dispatcher.ts';
import { startGallery } from '../../support/harness.ts';
import { register } from '../../support/people.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';
import { addWebhook, awaitLatest, skipTime } from '../../support/webhooks.ts';

test('a delivery that no process lived to send is given up after so many attempts', async (context) => {
  const gallery = await startGallery({ webhookAllowPrivate: true });
  const receiver = await startReceiver();
  const stop = startWebhookDispatcher(gallery.deps);
  context.after(async () => {
    await stop();
    await gallery.close();
    await receiver.close();
  });
  const owner = await register(gallery, 'owner');
  const fan = await register(gallery, 'fan');
  const follow = () => fan.post(`/api/users/${owner.id}/follow`);
  const { kysely } = gallery.deps.db;

  /** Leaves the delivery in the state of a process that died during the attempt with this number. */
  async function leaveAt(id: number, attempts: number): Promise<void> {
    const due_time = gallery.deps.clock() + deliveryLeaseSeconds;
    const left = { status: 'pending' as const, attempts, due_time };
    await kysely.updateTable('webhook_deliveries').set(left).where('id', '=', id).execute();
    skipTime(gallery, deliveryLeaseSeconds);
  }

  const webhook = await addWebhook(owner, receiver.url, { events: ['follow.created'] });
  await follow();
  const { id } = await awaitLatest(owner, webhook, ({ status }) => assert.equal(status, 'delivered'));
  await leaveAt(id, maxOutboxAttempts - 1);
  await receiver.wait(2);
  await awaitLatest(owner, webhook, ({ status, attempts }) =>
    assert.deepEqual([status, attempts], ['delivered', maxOutboxAttempts]),
  );
  await leaveAt(id, maxOutboxAttempts);
  await awaitLatest(owner, webhook, ({ status, attempts, error, next_attempt_time }) =>
    assert.deepEqual(
      [status, attempts, error, next_attempt_time],
      ['failed', maxOutboxAttempts, 'Not delivered: the server stopped during each attempt', ''],
    ),
  );
  assert.equal(receiver.received.length, 2);
});
