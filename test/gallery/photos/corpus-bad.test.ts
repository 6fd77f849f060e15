/**
 * Uploads every invalid file of the corpus to a server in a separate process. Each file must be refused, or
 * served as renditions without its payload, quickly and with little memory. `npm run torture -- images`
 * damages pictures at random.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { readConfig } from '../../../server/config.ts';
import { openDatabase } from '../../../server/platform/db/index.ts';
import { openStorage } from '../../../server/platform/storage/open.ts';
import { type CorpusFile, corpus, withoutCorpus } from '../../platform/imaging/corpus.ts';
import {
  countRows,
  eventually,
  type InspectedGallery,
  listReferencedObjects,
  listStoredObjects,
  listTemporaryFiles,
} from '../../support/gallery-counts.ts';
import { makeStorageSettings, makeTestDatabase } from '../../support/harness.ts';
import { type Answer, asVisitor, type Person, register } from '../../support/people.ts';
import { type ServerProcess, startServer } from '../../support/server-process.ts';

const hostile = corpus.filter(({ kind }) => kind !== 'photo');

/** Maximum milliseconds for a response, which takes less than a second on an idle machine. */
const maxMs = 15_000;
/** Maximum CPU milliseconds of all threads of the server. */
const maxCpuMs = 3000;
const maxMemory = 500e6;

/** Files that the manifest expects to be refused, because it is older than the server's support for HEIC. */
const takenNow = ['bad/real/heif_named_jpg.jpg'];

const payloads = /<script|<svg|<\?php|<html|alert\(|onerror/i;
const types: Record<string, string> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  tiff: 'image/tiff',
};

describe('a hostile file', { skip: withoutCorpus }, () => {
  let server: ServerProcess;
  let dataDir: string;
  let external: Awaited<ReturnType<typeof makeTestDatabase>>;
  let place: InspectedGallery;
  let mallory: Person;
  let slowest = 0;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lightwell-test-'));
    external = await makeTestDatabase();
    const environment = { ...(external && { DATABASE_URL: external.url }), ...(await makeStorageSettings()) };
    server = await startServer({ dataDir, environment });
    const config = readConfig({ DATA_DIR: dataDir, ...environment });
    const db = await openDatabase({ dataDir, url: config.databaseUrl, onError: () => {} });
    const storage = await openStorage({ dataDir, url: config.storageUrl, keys: config.storageKeys });
    place = { db, storage, config };
    mallory = await register(server, 'mallory');
  });
  after(async () => {
    await server?.end('SIGTERM');
    await place?.db.close();
    await external?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  for (const file of hostile) {
    test(file.path, async () => {
      const bytes = await readFile(file.file);
      const before = await countRows(place);
      const [start, cpu] = [performance.now(), readCpuMs(server.pid)];
      const answer = await mallory.upload(bytes, {}, basename(file.path));
      const ms = performance.now() - start;
      slowest = Math.max(slowest, ms);
      const used = readCpuMs(server.pid) - cpu;
      assert.ok(used < maxCpuMs, `${Math.round(used)} ms of CPU`);

      const { code } = answer.body;
      assert.ok(allowedCodes(file).includes(code), `${file.expected}: ${answer.bytes}`);
      assert.ok(ms < maxMs, `${Math.round(ms)} ms`);
      if (code === 0) {
        await assertHarmless(answer);
      } else {
        assert.equal(answer.status, code === 20001 ? 415 : 413);
        assertNothingTold(answer);
        assert.deepEqual(await countRows(place), before);
        // The server deletes the file of a refused upload a moment after the response.
        await eventually(async () => assert.deepEqual(await listTemporaryFiles(dataDir), []));
      }
    });
  }

  test('the corpus has more than two hundred hostile files', () => assert.ok(hostile.length > 200));

  test('a refused hostile file leaves nothing behind, and the server continues', async (context) => {
    assert.deepEqual(await listTemporaryFiles(dataDir), []);
    assert.deepEqual(await listStoredObjects(place), await listReferencedObjects(place));
    assert.equal((await asVisitor(server).get('/health')).status, 200);
    const good = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#2a6' } })
      .jpeg()
      .toBuffer();
    assert.equal((await mallory.upload(good)).status, 200);
    context.diagnostic(`the slowest took ${Math.round(slowest)} ms`);
  });

  test('hostile files cost little memory', async (context) => {
    const peak = server.peakMemory();
    if (peak === undefined) return context.skip('this system does not tell the memory of a process');
    context.diagnostic(`${Math.round(peak / 1e6)} MB at most`);
    assert.ok(peak < maxMemory, `${Math.round(peak / 1e6)} MB`);
  });

  /**
   * Asserts that the served images have the decoded type and are harmless, and that renditions contain
   * nothing of the payload.
   */
  async function assertHarmless({ body }: Answer): Promise<void> {
    const { data } = (await asVisitor(server).get(`/api/photos/${body.data.id}`)).body;
    assert.ok(data.exif.camera.isWellFormed() && data.placeholder.length > 0);
    assert.ok(data.exif.camera.length <= 100 && data.exif.iso <= 2_147_483_647);
    assert.doesNotMatch(JSON.stringify(data.exif), /[\u0000-\u001f]|\\u00[01]|NaN|Infinity/);
    for (const path of [data.thumb, data.preview, data.path]) {
      const { status, headers, bytes } = await asVisitor(server).get(path);
      assert.equal(status, 200, path);
      assert.equal(headers.get('content-type'), types[path.split('.').at(-1)], path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/);
      await sharp(bytes).stats();
      if (path === data.path) continue;
      assert.doesNotMatch(bytes.toString('latin1'), payloads);
      const { exif, xmp } = await sharp(bytes).metadata();
      assert.deepEqual([exif, xmp], [undefined, undefined], path);
    }
  }
});

/** Returns the CPU milliseconds in user and system mode, or 0 on a system that does not report them. */
function readCpuMs(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return 0;
  // Skips the program name in brackets, which may contain spaces. Clock ticks are hundredths of a second.
  const fields = readFileSync(file, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Returns the response codes that the manifest allows for a file. */
function allowedCodes({ path, expected }: CorpusFile): number[] {
  if (takenNow.includes(path)) return [0];
  const isRefused = /refuse|2000[12]|over the pixel limit/.test(expected);
  const isTaken = /accept|must be handled as/.test(expected);
  assert.ok(isRefused || isTaken, `the manifest says neither: ${expected}`);
  const refusals = /over the pixel limit|20002|limit|RSS bounded/.test(expected) ? [20001, 20002] : [20001];
  // A file that would need too much time or memory may be refused with either code, such as `metadata may be
  // huge`.
  return [...(isTaken ? [0] : []), ...(isRefused ? refusals : [])];
}

function assertNothingTold({ bytes }: Answer): void {
  assert.doesNotMatch(bytes.toString(), /\bat .+:\d+|node_modules|libvips|vips|sharp|\/tmp\/|SELECT|sqlite/i);
}
