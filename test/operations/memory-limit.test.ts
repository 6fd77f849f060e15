import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { memoryLimit } from '../../server/platform/process/memory.ts';
import { createLosslessWebp, createSolid, createWidePng } from '../support/hostile-pictures.ts';
import { createMemoryGroup, skipReason } from '../support/memory-group.ts';
import { register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { startServer } from '../support/server-process.ts';

const MB = 1024 * 1024;

test('the limit is the least of all groups above, of both versions', () => {
  const folder = mkdtempSync(join(tmpdir(), 'groups-'));
  const own = join(folder, 'own');
  try {
    mkdirSync(join(folder, 'a/b'), { recursive: true });
    writeFileSync(join(folder, 'a/memory.max'), String(300 * MB));
    writeFileSync(join(folder, 'a/b/memory.max'), 'max');
    writeFileSync(own, '0::/a/b\n');
    assert.equal(memoryLimit(folder, own), 300 * MB);
    mkdirSync(join(folder, 'memory/c'), { recursive: true });
    writeFileSync(join(folder, 'memory/c/memory.limit_in_bytes'), String(200 * MB));
    writeFileSync(own, '4:memory:/c\n');
    assert.equal(memoryLimit(folder, own), 200 * MB);
    writeFileSync(own, '4:memory:/not/here\n');
    assert.equal(memoryLimit(folder, own), totalmem());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a server with 512 MB refuses what would take them, and lives', async (t) => {
  const group = createMemoryGroup(512 * MB);
  if (!group) return t.skip(skipReason);
  const dataDir = mkdtempSync(join(tmpdir(), 'memory-limit-'));
  const server = await startServer({ dataDir, under: group.under });
  try {
    const mallory = await register(server, 'mallory');
    for (const picture of [await createLosslessWebp(), await createWidePng()]) {
      const { status, body } = await mallory.upload(picture);
      assert.deepEqual([status, body.code], [413, 20002]);
    }
    assert.equal((await mallory.upload(await createJpeg())).status, 200);
    assert.equal(group.kills(), 0);
  } finally {
    await server.end('SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 300));
    group.remove();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test('a server with 1 GB takes photos of a medium-format camera, and refuses what needs more', async (t) => {
  const group = createMemoryGroup(1024 * MB);
  if (!group) return t.skip(skipReason);
  const dataDir = mkdtempSync(join(tmpdir(), 'memory-limit-'));
  const server = await startServer({ dataDir, under: group.under });
  try {
    const ann = await register(server, 'ann');
    const camera = createSolid({ width: 12_200, height: 9_000 });
    for (const progressive of [false, true]) {
      const { status, body } = await ann.upload(await camera.clone().jpeg({ progressive }).toBuffer());
      assert.equal(status, 200, JSON.stringify(body));
    }
    const avif = await createSolid({ width: 8_000, height: 5_000 })
      .avif({ effort: 0, quality: 1 })
      .toBuffer();
    const { status, body } = await ann.upload(avif);
    assert.deepEqual([status, body.code], [413, 20002]);
    assert.match(body.message, /needs \d+ MB of memory, but this server has \d+ MB/);
    assert.equal(group.kills(), 0);
  } finally {
    await server.end('SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 300));
    group.remove();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
