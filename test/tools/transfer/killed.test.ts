/**
 * A move that is killed at random points and run again completes. Each run is the real command in a separate
 * process. `LIGHTWELL_CRASH_ROUNDS` sets the number of rounds.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pino from 'pino';
import { readConfig } from '../../../server/config.ts';
import { closeDeps, openDeps } from '../../../server/deps.ts';
import { bulkDatabase } from '../../../server/platform/db/index.ts';
import { openStorage } from '../../../server/platform/storage/open.ts';
import { createRowDigest } from '../../../server/tools/transfer/digest.ts';
import {
  type GalleryLocation,
  selectStorageOptions,
} from '../../../server/tools/transfer/gallery-location.ts';
import { yieldNamedObjects } from '../../../server/tools/transfer/objects.ts';
import { computeObjectChecksum } from '../../../server/tools/transfer/receive.ts';
import { copiedTables, removeLocationSettings } from '../../../server/tools/transfer/tables.ts';
import { createEnvironment } from '../../support/command.ts';
import { createRandom } from '../../support/random.ts';
import { s3Environment } from '../../support/s3.ts';
import { testSeed } from '../../support/seed.ts';
import { createScope, otherHome, readAllBytes, sqliteHome } from './gallery-locations.ts';
import { makeMany } from './many-rows.ts';

/** Number of kills on each of the two kinds of databases and storages. */
const kills = Number(process.env.LIGHTWELL_CRASH_ROUNDS ?? 10);
const manyPhotos = 80;
const cli = resolve(import.meta.dirname, '../../../server/cli.ts');

const ended = /is already complete: the gallery is ready there/;

describe(`a move that is killed (seed ${testSeed})`, () => {
  const random = createRandom(testSeed);
  const scope = createScope();
  after(() => scope.end());
  let source: GalleryLocation;
  let target: GalleryLocation;
  let expected: Map<string, string>;
  let sourceBytes: Record<string, string>;
  /** Milliseconds that a complete move takes here, from its first output on. */
  let wholeMs: number;
  let unfinished = 0;

  before(async () => {
    source = await sqliteHome(scope);
    await makeMany(source, manyPhotos);
    sourceBytes = await readAllBytes(source.dataDir);
    expected = await readContents(source);
    target = await otherHome(scope);
    wholeMs = (await run(target, Number.POSITIVE_INFINITY)).ms;
    assert.deepEqual(await readContents(target), expected);
    target = await otherHome(scope);
  });

  for (let round = 1; round <= kills; round++) {
    test(`continues after kill ${round}`, async (context) => {
      for (;;) {
        const { code, ms, said } = await run(target, random.below(wholeMs));
        context.diagnostic(`ended with ${code} after ${Math.round(ms)} ms: ${said.split('\n').at(-2)}`);
        // A kill just after the end of the move counts as a completed move.
        if (code === 0 || ended.test(said)) {
          // The move was faster than the kill and must be complete. The next attempt starts with an empty
          // target.
          if (said.includes('(0 were already there)')) wholeMs = Math.min(wholeMs, ms);
          assert.deepEqual(await readContents(target), expected);
          target = await otherHome(scope);
          continue;
        }
        assert.equal(code, 'SIGKILL', said);
        if (await isRefused(target)) unfinished++;
        return;
      }
    });
  }

  test('was killed on its way at least once', () => {
    assert.ok(unfinished > 0);
  });

  test('arrives complete when it is run once more, with the source as it was', async () => {
    const { code, said } = await run(target, Number.POSITIVE_INFINITY);
    assert.ok(code === 0 || ended.test(said), said);
    assert.deepEqual(await readContents(target), expected);
    assert.equal(await isRefused(target), false);
    assert.deepEqual(await readAllBytes(source.dataDir), sourceBytes);
  });

  test('leaves a restore that is killed repeatable, too', async (context) => {
    const file = join((await sqliteHome(scope)).dataDir, 'many.tar');
    assert.equal((await start({ home: source, args: ['backup', file] })).code, 0);
    const home = await otherHome(scope);
    const killAfterMs = async (ms: number) => start({ home, args: ['restore', file], killAfterMs: ms });
    for (let round = 0; round < 4; round++) {
      const { code, said } = await killAfterMs(random.below(wholeMs * 0.7));
      context.diagnostic(`ended with ${code}: ${said.split('\n').at(-2)}`);
      if (code === 0 || ended.test(said)) break;
      assert.equal(code, 'SIGKILL', said);
    }
    const { code, said } = await killAfterMs(Number.POSITIVE_INFINITY);
    assert.ok(code === 0 || ended.test(said), said);
    assert.deepEqual(await readContents(home), expected);
    assert.equal(await isRefused(home), false);
  });

  function run(to: GalleryLocation, killAfterMs: number) {
    const { dataDir, databaseUrl, storageUrl } = to;
    const args = ['move', '--database', databaseUrl ?? dataDir, '--storage', storageUrl ?? dataDir];
    const environment = storageUrl ? s3Environment('') : {};
    return start({ home: source, args, environment, killAfterMs });
  }
});

interface Start {
  home: GalleryLocation;
  args: string[];
  environment?: Record<string, string>;
  killAfterMs?: number;
}

/**
 * Starts the command with the settings of a gallery location, and kills it `killAfterMs` after its first
 * output.
 */
async function start({ home, args, environment = {}, killAfterMs = Number.POSITIVE_INFINITY }: Start) {
  const child = spawn(process.execPath, [cli, ...args], {
    env: { ...createEnvironment(home), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const started = once(child.stderr, 'data').then(() => performance.now());
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const ended = once(child, 'exit');
  const begun = await Promise.race([started, ended.then(() => performance.now())]);
  const timer = killAfterMs < 2 ** 31 ? setTimeout(() => child.kill('SIGKILL'), killAfterMs) : undefined;
  const [code, signal] = await ended;
  clearTimeout(timer);
  return { code: (code ?? signal) as number | string, ms: performance.now() - begun, said };
}

/**
 * Tells whether a server refuses to start because the gallery is incomplete. A server may start on an empty
 * location.
 */
async function isRefused(home: GalleryLocation): Promise<boolean> {
  const config = { ...readConfig({}), ...home };
  const opened = openDeps(config, pino({ level: 'silent' }));
  try {
    const deps = await opened;
    const photos = await deps.db.kysely.selectFrom('photos').select('id').execute();
    await closeDeps(deps);
    assert.ok(photos.length === 0 || photos.length === manyPhotos, `${photos.length} photos are shown`);
    return false;
  } catch (error) {
    assert.match((error as Error).message, /A move into this gallery is unfinished/);
    return true;
  }
}

/** Returns the checksums of tables and objects by name. A row without its object gives undefined. */
async function readContents(home: GalleryLocation): Promise<Map<string, string>> {
  const reader = await (await bulkDatabase({ dataDir: home.dataDir, url: home.databaseUrl })).reader();
  const storage = await openStorage({ ...selectStorageOptions(home), isReadOnly: true });
  const contents = new Map<string, string>();
  try {
    for (const table of copiedTables(await reader.tables())) {
      const digest = createRowDigest();
      for await (const rows of reader.read(table)) {
        digest.add(table.name === 'settings' ? removeLocationSettings(rows) : rows);
      }
      contents.set(table.name, JSON.stringify(digest.sum()));
    }
    for await (const group of yieldNamedObjects(reader)) {
      for (const { name } of group) contents.set(name, String(await computeObjectChecksum(storage, name)));
    }
  } finally {
    await reader.close();
  }
  return contents;
}
