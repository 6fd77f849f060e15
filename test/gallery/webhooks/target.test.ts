/** Deliveries go only to public IP addresses, even if a host name resolves to other IP addresses later. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConfigError, readConfig } from '../../../server/config.ts';
import { createSendDelivery, type DeliveryToSend } from '../../../server/gallery/webhooks/send.ts';
import {
  findWebhookTargetProblem,
  isPublicAddress,
  type LookupAllAddresses,
} from '../../../server/gallery/webhooks/target.ts';
import { startReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';

const shipmentTo = (url: string): DeliveryToSend => ({
  url,
  secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  eventId: 'msg_1',
  time: Math.floor(Date.now() / 1000),
  payload: '{}',
});

/**
 * Returns a resolver with given names. Each lookup takes the next IP address list, and later lookups repeat
 * the last list.
 */
function names(answers: Record<string, string[][]>): LookupAllAddresses {
  return (name, _options, callback) => {
    const list = answers[name];
    if (!list) return callback(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), []);
    const addresses = list.length > 1 ? list.shift()! : list[0]!;
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

describe('the target of a delivery', () => {
  let receiver: WebhookReceiver;
  let port: string;
  before(async () => {
    receiver = await startReceiver();
    port = new URL(receiver.url).port;
  });
  after(() => receiver.close());

  test('is in private networks only when a setting allows it', () => {
    const read = (value: string) => readConfig({ WEBHOOK_ALLOW_PRIVATE: value }).webhookAllowPrivate;
    assert.deepEqual(['', '0', 'false', '1', 'true'].map(read), [false, false, false, true, true]);
    assert.throws(() => read('maybe'), ConfigError);
  });

  test('must have a public address', () => {
    for (const address of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::8a']) {
      assert.ok(isPublicAddress(address), address);
    }
    const refused = [
      ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.255.0.1', '172.31.255.255'],
      ...['192.168.0.1', '169.254.169.254', '100.127.0.1', '192.0.0.192', '192.0.2.1', '198.51.100.7'],
      ...['203.0.113.7', '198.19.0.1', '192.88.99.1', '224.0.0.251', '240.0.0.1', '255.255.255.255'],
      ...['168.63.129.16', '::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', 'fe80::1'],
      ...['fe80::1%eth0', 'fd00:ec2::254', 'fec0::1', 'ff02::1', '64:ff9b::a00:1', '64:ff9b:1::a00:1'],
      ...['100::1', '2001::1', '2001:db8::1', '2002:a00:1::', '3fff::1', '5f00::1', '4000::1', '', 'name'],
    ];
    for (const address of refused) assert.ok(!isPublicAddress(address), address);
  });

  test('is refused at once for names of this machine', () => {
    for (const host of ['localhost', 'LOCALHOST:3000', 'api.localhost', 'localhost.']) {
      assert.ok(findWebhookTargetProblem(`http://${host}/`, { allowPrivate: false }), host);
      assert.equal(findWebhookTargetProblem(`http://${host}/`, { allowPrivate: true }), undefined);
    }
    assert.equal(
      findWebhookTargetProblem('https://localhost.example.org/', { allowPrivate: false }),
      undefined,
    );
  });

  test('a name that stands for an address of this machine is refused when it connects', async () => {
    const answers = {
      inside: [['127.0.0.1']],
      mixed: [['8.8.8.8', '127.0.0.1']],
      six: [['::1']],
      mapped: [['::ffff:127.0.0.1']],
    };
    const send = createSendDelivery({ allowPrivate: false, lookup: names(answers) });
    for (const name of Object.keys(answers)) {
      const result = await send(shipmentTo(`http://${name}:${port}/`));
      assert.deepEqual([result.status, result.error], [null, 'The target must have a public address'], name);
    }
    assert.deepEqual(receiver.received, []);
  });

  test('a name that changes its address between two attempts is refused at the second', async () => {
    const lookup = names({ changing: [['192.0.43.8'], ['127.0.0.1']] });
    // Consumes the first IP address like an earlier check would do. The delivery must check the second IP
    // address itself.
    lookup('changing', { all: true }, () => {});
    const result = await createSendDelivery({ allowPrivate: false, lookup })(
      shipmentTo(`http://changing:${port}/`),
    );
    assert.equal(result.error, 'The target must have a public address');
    assert.deepEqual(receiver.received, []);
  });

  test('is refused for localhost and literal addresses in every spelling, by the real resolver', async () => {
    const send = createSendDelivery({ allowPrivate: false });
    const hosts = ['localhost', 'LOCALHOST', 'localhost.', '127.0.0.1', '127.1', '0x7f.0.0.1', '2130706433'];
    for (const host of [...hosts, '017700000001', '[::1]', '[::ffff:127.0.0.1]']) {
      const result = await send(shipmentTo(`http://${host}:${port}/`));
      assert.equal(result.status, null, host);
      assert.match(result.error, /public address|Cannot connect to the target/, host);
    }
    assert.deepEqual(receiver.received, []);
    const open = createSendDelivery({ allowPrivate: true });
    assert.equal((await open(shipmentTo(`http://localhost:${port}/`))).status, 200);
    assert.equal((await open(shipmentTo(`http://0x7f.0.0.1:${port}/`))).status, 200);
    assert.equal(receiver.received.length, 2);
  });

  test('a redirect is an answer, and is not followed', async () => {
    receiver.received.length = 0;
    receiver.answer = (response) => response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end();
    const result = await createSendDelivery({ allowPrivate: true })(shipmentTo(`${receiver.url}/first`));
    assert.deepEqual([result.status, result.error], [307, 'The target responded with 307']);
    assert.deepEqual(
      receiver.received.map(({ path }) => path),
      ['/first'],
    );
  });

  test('an answer without end is cut off, one that breaks off counts by its status', async () => {
    const send = createSendDelivery({ allowPrivate: true });
    receiver.answer = (response) => {
      response.writeHead(200);
      const flood = setInterval(() => response.write('x'.repeat(10_000)), 5);
      response.on('close', () => clearInterval(flood));
    };
    assert.deepEqual((await send(shipmentTo(receiver.url))).status, 200);
    receiver.answer = (response) => {
      response.writeHead(202, { 'content-length': 100 });
      response.write('half');
      response.socket!.destroy();
    };
    const broken = await send(shipmentTo(receiver.url));
    assert.ok(
      broken.status === 202 || broken.error === 'Cannot connect to the target: ECONNRESET',
      JSON.stringify(broken),
    );
  });

  test('reports a code and nothing more when it cannot be reached', async () => {
    const lookup = names({});
    const unknown = await createSendDelivery({ allowPrivate: true, lookup })(shipmentTo('http://nowhere/'));
    assert.deepEqual([unknown.status, unknown.error], [null, 'Cannot connect to the target: ENOTFOUND']);
    const closed = await startReceiver();
    await closed.close();
    const refused = await createSendDelivery({ allowPrivate: true })(shipmentTo(closed.url));
    assert.equal(refused.error, 'Cannot connect to the target: ECONNREFUSED');
    const noTls = await createSendDelivery({ allowPrivate: true })(shipmentTo(`https://127.0.0.1:${port}/`));
    assert.match(noTls.error, /^Cannot connect to the target(: [A-Z_]+)?$/);
  });

  test('a target that does not answer holds an attempt for ten seconds', async () => {
    receiver.answer = () => {};
    const result = await createSendDelivery({ allowPrivate: true })(shipmentTo(receiver.url));
    assert.deepEqual([result.status, result.error], [null, 'The target did not respond in time']);
    assert.ok(result.durationMs >= 9_900, `${result.durationMs} ms`);
  });
});
