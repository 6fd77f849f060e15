/**
 * Kills the server while it finishes a resumable upload, renders sizes, edits a photo or deletes one. Each
 * round kills the server at another disk event. Acknowledged changes must stay, unacknowledged changes can be
 * repeated, and the server must serve nothing half finished. `npm run torture -- kills` kills the server at
 * random times under load.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pino from 'pino';
import sharp from 'sharp';
import { readConfig } from '../../server/config.ts';
import { closeDeps, type Deps, openDeps } from '../../server/deps.ts';
import { chargedBytes } from '../../server/gallery/photos/upload/quota.ts';
import { checkGallery } from '../../server/tools/check/check.ts';
import { runMaintenance } from '../../server/tools/maintenance/maintenance.ts';
import { assertDone, assertRead, assertWritten } from '../support/assert-answers.ts';
import {
  eventually,
  listObjectsOnDisk,
  listReferencedObjects,
  listTemporaryFiles,
} from '../support/gallery-counts.ts';
import { type Answer, addPhoto, createPerson, type Person, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { hashSha256, readOffset, sendChunk, startUpload } from '../support/uploads.ts';

/**
 * The moment of the kill: the server dies at the event number `count` on files that match `of`. `anything`
 * includes commits of the database.
 */
interface Moment {
  of: RegExp;
  count: number;
}
const anything = /./;
const size = /\.w\d+\./;
const commit = /-wal$/;
const endsOfUploads: Moment[] = [
  { of: anything, count: 2 },
  { of: anything, count: 9 },
  { of: /\.original\./, count: 1 },
  { of: /\.thumb\./, count: 1 },
  // The server deletes the pieces of an upload after the photo exists.
  { of: /\.piece\./, count: 1 },
];
const makingOfSizes: Moment[] = [
  { of: anything, count: 2 },
  { of: size, count: 1 },
  { of: size, count: 2 },
  { of: size, count: 4 },
];
const edits: Moment[] = [
  { of: anything, count: 2 },
  { of: /\.thumb\./, count: 1 },
  { of: commit, count: 2 },
  { of: commit, count: 4 },
];
const deletions: Moment[] = [
  { of: commit, count: 1 },
  { of: anything, count: 3 },
];
const sizes = ['w320.webp', 'w640.webp', 'w640.jpg', 'w1280.jpg', 'w1280.webp'];
const partBytes = 50_000;
const madeWithinMs = 60_000;
/**
 * Seconds by which the clock of each restarted server is ahead, so that leases of the killed server have
 * expired.
 */
const afterSeconds = 20;

describe('a server that is killed at one thing', () => {
  let dataDir: string;
  let server: ServerProcess;
  let owner: Person;
  let picture: Buffer;
  let bytes = 0;
  let later = 0;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lightwell-aimed-'));
    server = await startServer({ dataDir });
    owner = await register(server, 'owner');
    // Adds random bytes after the picture's end, which the server stores as well, to make the file large.
    picture = Buffer.concat([await createJpeg({ width: 900, height: 600 }), randomBytes(3 * partBytes)]);
  });
  after(async () => {
    await server?.end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  /**
   * Kills the server at the given moment, or after `work` if the moment never comes. Returns the result of
   * `work`.
   */
  async function killAt<Result>({ of, count }: Moment, work: () => Promise<Result>): Promise<Result> {
    let left = count;
    let killed: Promise<unknown> | undefined;
    const kill = () => {
      killed ??= server.end('SIGKILL');
    };
    const seen = (kind: string, name: string | null) => {
      const isOne = (kind === 'rename' || name?.endsWith('-wal')) && of.test(name ?? '');
      if (isOne && --left === 0) kill();
    };
    const watchers: FSWatcher[] = [
      watch(join(dataDir, 'files'), { recursive: true }, seen),
      watch(join(dataDir, 'tmp'), seen),
      watch(dataDir, seen),
    ];
    try {
      return await work();
    } finally {
      kill();
      await killed;
      for (const watcher of watchers) watcher.close();
    }
  }

  async function restart(): Promise<void> {
    later += afterSeconds;
    server = await startServer({ dataDir, later });
    owner = createPerson(server, owner.name, owner.token, owner.id);
    await eventually(async () => assert.deepEqual(await listTemporaryFiles(dataDir), []));
  }

  for (const [round, moment] of endsOfUploads.entries()) {
    test(`loses nothing as an upload ends, at ${moment.of} ${moment.count}`, async (context) => {
      const file = Buffer.concat([picture, Buffer.from(`number ${round}`)]);
      const path = await startUpload(owner, file.length, {
        sha256: hashSha256(file),
        title: `number ${round}`,
      });
      for (const start of [0, partBytes]) {
        const part = file.subarray(start, start + partBytes);
        assert.equal((await sendChunk(owner, path, start, part)).status, 204);
      }
      const last = 2 * partBytes;
      const answer = await killAt(moment, () =>
        sendChunk(owner, path, last, file.subarray(last)).catch(() => undefined),
      );
      if (answer) assert.equal(answer.status, 200, answer.bytes.toString());
      await restart();

      const offset = await readOffset(owner, path);
      context.diagnostic(`${answer ? 'answered' : 'not answered'}, ${offset} of ${file.length} bytes`);
      if (answer) assert.equal(offset, file.length);
      else assert.ok(offset === last || offset === file.length);
      const again = await sendChunk(owner, path, offset, file.subarray(offset));
      assert.equal(again.status, 200, again.bytes.toString());
      const { id } = again.body.data;
      if (answer) assert.equal(answer.body.data.id, id);
      bytes += chargedBytes([{ size: file.length }]);

      const { list, pagination } = assertRead(await owner.get(`/api/photos?keyword=number ${round}`));
      assert.deepEqual([pagination.total, list[0].id], [1, id]);
      assert.equal(hashSha256((await owner.get(`/api/photos/${id}/download`)).bytes), hashSha256(file));
      await assertShown(await owner.get(list[0].thumb), 400);
      assert.equal(assertRead(await owner.get('/api/auth/user')).storage_used, bytes);
    });
  }

  for (const [round, moment] of makingOfSizes.entries()) {
    test(`loses nothing as sizes are rendered, at ${moment.of} ${moment.count}`, async (context) => {
      const file = await createJpeg({ width: 1400, height: 900, colour: `hsl(${round * 30}, 50%, 50%)` });
      const { id } = await addPhoto(owner, {}, file);
      const { image } = assertRead(await owner.get(`/api/photos/${id}`));
      const ask = (size: string) => owner.get(image.replace(/w\{width\}\.webp/, size));
      const answers = await killAt(moment, () =>
        Promise.all(sizes.map((size) => ask(size).catch(() => undefined))),
      );
      for (const [index, answer] of answers.entries()) if (answer) await assertSize(answer, sizes[index]!);
      context.diagnostic(`${answers.filter(Boolean).length} of ${sizes.length} were sent`);
      await restart();
      await eventually(async () => {
        for (const size of sizes) await assertSize(await ask(size), size);
      }, madeWithinMs);
    });
  }

  for (const moment of edits) {
    test(`loses nothing as an edit is saved, at ${moment.of} ${moment.count}`, async (context) => {
      const { id } = await addPhoto(owner, {}, await createJpeg());
      const step = { action: 'rotate', params: { angle: 90 } };
      const answer = await killAt(moment, () =>
        owner.post(`/api/photos/${id}/edit`, step).catch(() => undefined),
      );
      if (answer) assertWritten(answer);
      await restart();
      const { list } = assertRead(await owner.get(`/api/photos/${id}/edits`));
      context.diagnostic(`${answer ? 'answered' : 'not answered'}, ${list.length} edits`);
      assert.ok(list.length === 1 || (list.length === 0 && !answer));
      const { path, thumb, width, height } = assertRead(await owner.get(`/api/photos/${id}`));
      assert.deepEqual([width, height], list.length === 1 ? [200, 320] : [320, 200]);
      await assertShown(await owner.get(path), width);
      assert.equal((await owner.get(thumb)).status, 200);
    });
  }

  for (const moment of deletions) {
    test(`loses nothing as photos are deleted, at ${moment.of} ${moment.count}`, async (context) => {
      const [trashed, purged] = [await addPhoto(owner), await addPhoto(owner)];
      assertDone(await owner.delete(`/api/photos/${purged.id}`));
      const answers = await killAt(moment, () =>
        Promise.all(
          [`/api/photos/${trashed.id}`, `/api/trash/${purged.id}`].map((path) =>
            owner.delete(path).catch(() => undefined),
          ),
        ),
      );
      for (const answer of answers) if (answer) assertDone(answer);
      await restart();
      context.diagnostic(`${answers.filter(Boolean).length} of 2 were answered`);
      const { status, body } = await owner.get(`/api/photos/${trashed.id}`);
      if (answers[0]) assert.equal(body.code, 20003, 'a deleted photo is back');
      else if (status === 200) await assertShown(await owner.get(body.data.thumb), 320);
      const { list } = assertRead(await owner.get('/api/trash'));
      const isLeft = list.some(({ id }: { id: number }) => id === purged.id);
      assert.ok(!(answers[1] && isLeft), 'a purged photo is back');
    });
  }

  test('shows every photo that it lists', async () => {
    const { list, pagination } = assertRead(await owner.get('/api/photos?limit=100'));
    assert.equal(list.length, pagination.total);
    for (const { thumb } of list) await sharp((await owner.get(thumb)).bytes).stats();
  });

  test('leaves only objects that the maintenance run removes', async () => {
    assert.equal(await server.end('SIGTERM'), 0);
    const clock = () => Math.floor(Date.now() / 1000) + later + 86_401;
    const deps = await openDeps(readConfig({ DATA_DIR: dataDir }), pino({ level: 'silent' }), clock);
    try {
      await runMaintenance(deps, { graceSeconds: 0 });
      assert.deepEqual(await listObjectsOnDisk(dataDir), await listReferencedObjects(deps));
      assert.deepEqual(await findFindings(deps), []);
      for (const table of ['uploads', 'upload_pieces'] as const) {
        assert.deepEqual(await deps.db.kysely.selectFrom(table).selectAll().execute(), [], table);
      }
    } finally {
      await closeDeps(deps);
    }
  });
});

async function assertSize(answer: Answer, size: string): Promise<void> {
  await assertShown(answer, Number(/\d+/.exec(size)![0]));
}

async function assertShown({ status, bytes }: Answer, width: number): Promise<void> {
  assert.equal(status, 200);
  assert.equal((await sharp(bytes).metadata()).width, width);
  await sharp(bytes).stats();
}

async function findFindings(deps: Deps): Promise<string[]> {
  const found: string[] = [];
  await checkGallery(deps, {
    isFast: false,
    isRepair: false,
    jobs: 2,
    progress: { begin: () => {}, step: () => {} },
    onFinding: ({ kind, subject }) => found.push(`${kind}: ${subject}`),
  });
  return found;
}
