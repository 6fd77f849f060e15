/** Tests what operators watch a server with: request ids, metrics, and readiness before a stop. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { DatabaseUnavailable } from '../../../server/platform/db/dialect.ts';
import { recordBackup } from '../../../server/platform/db/last-backup.ts';
import { createSampledLog } from '../../../server/platform/http/sampled-log.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor } from '../../support/people.ts';
import { startServer } from '../../support/server-process.ts';

describe('a server', () => {
  let gallery: Gallery;
  before(async () => {
    gallery = await startGallery();
  });
  after(() => gallery.close());

  /** Sends a header that `fetch` may refuse, and returns the id of the response. */
  const readId = (given?: string) =>
    new Promise<string>((resolve, reject) => {
      const headers = given === undefined ? {} : { 'x-request-id': given };
      get(`${gallery.url}/health/live`, { headers }, (response) => {
        response.resume();
        resolve(String(response.headers['x-request-id']));
      }).on('error', reject);
    });

  for (const given of [
    '7f1c-22',
    'a'.repeat(128),
    '00-4bf92f3577b34da6a3ce929d0e0e4736-01',
    'nginx:1/2=3+4_5.6',
  ])
    test(`answers with the request id of a proxy: ${given.slice(0, 40)}`, async () =>
      assert.equal(await readId(given), given));

  for (const given of [
    'a'.repeat(129),
    'two words',
    '<script>',
    '"quoted"',
    'a;b',
    'ü',
    '{"a":1}',
    '',
    "'",
    '%0a',
  ])
    test(`creates an id instead of a bad one: ${given.slice(0, 40)}`, async () =>
      assert.match(await readId(given), /^[0-9a-f]{12}-[0-9a-z]+$/));

  test('creates another id for each request', async () => assert.notEqual(await readId(), await readId()));

  test('reports its version, connections, refusals, disk and last backup', async () => {
    const read = async () => {
      const text = (await asVisitor(gallery).get('/metrics')).bytes.toString();
      return (name: string) => {
        const line = text.split('\n').find((one) => one.startsWith(`${name} `) || one.startsWith(`${name}{`));
        assert.ok(line, name);
        return Number(line.split(' ').at(-1));
      };
    };
    await asVisitor(gallery).get('/health/ready');
    const first = await read();
    assert.equal(first('lightwell_build_info'), 1);
    assert.ok(first('lightwell_disk_free_bytes') > 0);
    assert.ok(first('lightwell_disk_bytes') > first('lightwell_disk_free_bytes'));
    assert.ok(first('lightwell_database_connections') > 0);
    for (const name of ['connections_busy', 'waiting', 'slow_reads_running', 'slow_reads_waiting'])
      assert.ok(first(`lightwell_database_${name}`) >= 0);
    assert.equal(first('lightwell_last_backup_timestamp_seconds'), 0);
    for (const service of ['database', 'storage']) {
      const [calls, seconds] = ['count', 'sum'].map((part) =>
        first(`lightwell_${service}_call_seconds_${part}`),
      );
      assert.ok(calls! > 0 && seconds! > 0, service);
    }
    await recordBackup(gallery.deps.db, 1_790_000_000);
    assert.equal((await read())('lightwell_last_backup_timestamp_seconds'), 1_790_000_000);
  });
});

test('a server with STOP_DELAY is not ready first, and serves until the delay is over', async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lightwell-delay-'));
  const server = await startServer({ dataDir, environment: { STOP_DELAY: '4' } });
  context.after(async () => {
    await server.end('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });
  assert.equal((await fetch(`${server.url}/health/ready`)).status, 200);
  assert.equal((await fetch(`${server.url}/health/serving`)).status, 200);
  const ended = server.end('SIGTERM');
  await eventually(async () => {
    const ready = await fetch(`${server.url}/health/ready`);
    assert.equal(ready.status, 503);
    assert.equal(((await ready.json()) as { stopping: boolean }).stopping, true);
  });
  const serving = await fetch(`${server.url}/health/serving`);
  assert.deepEqual([serving.status, await serving.json()], [503, { status: 'stopping' }]);
  for (const path of ['/health/live', '/api/photos'])
    assert.equal((await fetch(server.url + path)).status, 200, path);
  assert.equal(await ended, 0);
});

test('failures of one cause have one line with a stack, and then one line per period with their count', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  const failures = createSampledLog(log, 200);
  const fail = (cause: Error) =>
    failures.write(log, 'warn', new DatabaseUnavailable(cause), 'request refused temporarily');
  for (let port = 40_000; port < 40_100; port++) fail(new Error(`connect ECONNREFUSED 10.0.0.7:${port}`));
  fail(new Error('too many connections'));
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ['request refused temporarily', 'request refused temporarily'],
  );
  await eventually(async () => assert.equal(lines.length, 3));
  assert.equal(lines[2]!.count, 99);
  assert.match(String(lines[2]!.cause), /ECONNREFUSED/);
  // The next period counts from its beginning, and a quiet period ends the count.
  fail(new Error('connect ECONNREFUSED 10.0.0.7:1'));
  await eventually(async () => assert.equal(lines[3]?.count, 1));
  await sleep(250);
  fail(new Error('connect ECONNREFUSED 10.0.0.7:1'));
  assert.equal(lines.length, 5);
  assert.ok(lines[4]!.err);
});
