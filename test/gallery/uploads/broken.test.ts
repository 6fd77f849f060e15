/**
 * The documented client uploads a large photo through a proxy that cuts the connection ten times, while
 * servers are killed. On PostgreSQL and S3, two servers alternate. The cuts are random; TEST_SEED selects
 * others.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pino from 'pino';
import sharp from 'sharp';
import { Upload } from 'tus-js-client';
import { readConfig } from '../../../server/config.ts';
import { closeDeps, type Deps, openDeps } from '../../../server/deps.ts';
import { chargedBytes } from '../../../server/gallery/photos/upload/quota.ts';
import { runMaintenance } from '../../../server/tools/maintenance/maintenance.ts';
import { assertRead } from '../../support/assert-answers.ts';
import { type CuttingProxy, startCuttingProxy } from '../../support/cutting-proxy.ts';
import { listReferencedObjects, listStoredObjects } from '../../support/gallery-counts.ts';
import { makeStorageSettings, makeTestDatabase } from '../../support/harness.ts';
import { createPerson, type Person, register } from '../../support/people.ts';
import { createRandom } from '../../support/random.ts';
import { testSeed } from '../../support/seed.ts';
import { type ServerProcess, startServer } from '../../support/server-process.ts';
import { hashSha256, sendChunk, startUpload } from '../../support/uploads.ts';

const allCuts = 10;
/** Maximum bytes between two cuts. Ten such parts are smaller than the file, so every cut happens. */
const longestCut = 3_500_000;
const kills = new Map([
  [3, 0],
  [7, 1],
]);

describe(`an upload over connections that break (seed ${testSeed})`, () => {
  const random = createRandom(testSeed);
  const folders: string[] = [];
  /** One promise for each server. While a server restarts, requests wait for the server's promise. */
  const servers: Promise<ServerProcess>[] = [];
  let database: Awaited<ReturnType<typeof makeTestDatabase>>;
  let environment: Record<string, string>;
  let proxy: CuttingProxy;
  let owner: Person;
  let file: Buffer;
  let connections = 0;
  let killed = 0;

  before(async () => {
    database = await makeTestDatabase();
    environment = { ...(database && { DATABASE_URL: database.url }), ...(await makeStorageSettings()) };
    for (let n = 0; n < (database ? 2 : 1); n++) {
      folders.push(await mkdtemp(join(tmpdir(), 'lightwell-broken-')));
      servers.push(start(n));
      await servers[n];
    }
    owner = await register(await servers[0]!, 'owner');
    proxy = await startCuttingProxy({
      target: async () => (await servers[connections++ % servers.length]!).url,
      bytesOf: () => (proxy.cuts < allCuts ? 100_000 + random.below(longestCut - 100_000) : undefined),
      onCut: kill,
    });
    const [width, height] = [3700, 3700];
    const noise = randomBytes(width * height * 3);
    file = await sharp(noise, { raw: { width, height, channels: 3 } })
      .png({ compressionLevel: 0 })
      .toBuffer();
  });
  after(async () => {
    await proxy?.close();
    await Promise.all(servers.map(async (server) => (await server).end('SIGKILL')));
    await database?.drop();
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  });

  function start(n: number): Promise<ServerProcess> {
    return startServer({ dataDir: folders[n]!, environment });
  }

  async function kill(cut: number): Promise<void> {
    const which = kills.get(cut);
    if (which === undefined) return;
    const n = which % servers.length;
    const server = await servers[n]!;
    assert.equal(await server.end('SIGKILL'), 'SIGKILL');
    killed++;
    servers[n] = start(n);
  }

  test('becomes one photo, byte for byte', { timeout: 300_000 }, async (context) => {
    assert.ok(file.length > 40_000_000);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    new Upload(file, {
      endpoint: `${proxy.url}/api/uploads`,
      headers: { Authorization: `Bearer ${owner.token}` },
      chunkSize: 12_000_000,
      retryDelays: Array<number>(600).fill(50),
      metadata: { filename: 'noise.png', title: 'Noise', is_public: '0', sha256: hashSha256(file) },
      onSuccess: ({ lastResponse }) => resolve(lastResponse.getBody()),
      onError: reject,
    }).start();
    const body = await promise;
    context.diagnostic(`${connections} connections, ${proxy.cuts} cuts, ${killed} servers killed`);
    assert.deepEqual([proxy.cuts, killed], [allCuts, kills.size]);

    const whole = createPerson(await servers[0]!, owner.name, owner.token, owner.id);
    const { list, pagination } = assertRead(await whole.get('/api/photos?is_public=0'));
    assert.equal(pagination.total, 1);
    assert.equal(list[0].title, 'Noise');
    if (body) assert.equal(JSON.parse(body).data.id, list[0].id);
    const download = await whole.get(`/api/photos/${list[0].id}/download`);
    assert.equal(hashSha256(download.bytes), hashSha256(file));
  });

  test('leaves nothing else once it has expired, and the quota is right', async () => {
    const whole = createPerson(await servers[0]!, owner.name, owner.token, owner.id);
    const path = await startUpload(whole, file.length);
    assert.equal((await sendChunk(whole, path, 0, file.subarray(0, 5_000_000))).status, 204);
    for (const server of servers) await (await server).end('SIGKILL');
    const config = readConfig({ DATA_DIR: folders[0]!, ...environment });
    const clock = () => Math.floor(Date.now() / 1000) + 86_401;
    const deps = await openDeps(config, pino({ level: 'silent' }), clock);
    try {
      await runMaintenance(deps, { graceSeconds: 0 });
      assert.deepEqual(await listStoredObjects(deps), await listReferencedObjects(deps));
      for (const table of ['uploads', 'upload_pieces'] as const) {
        assert.deepEqual(await deps.db.kysely.selectFrom(table).selectAll().execute(), []);
      }
      assert.equal(await usedBytes(deps), chargedBytes([{ size: file.length }]));
    } finally {
      await closeDeps(deps);
    }
  });

  async function usedBytes({ db }: Deps): Promise<number> {
    const row = db.kysely.selectFrom('users').select('used_bytes').where('id', '=', owner.id);
    return (await row.executeTakeFirstOrThrow()).used_bytes;
  }
});
