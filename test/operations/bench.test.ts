/** The galleries that bench/ creates can be opened and shown by the service, also after new migrations. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startServer } from '../../bench/measure.ts';
import { seed, viewerToken } from '../../bench/seed.ts';
import { albumId, makeGallery, notifications, reader, talkedAbout } from '../../bench/seed-people.ts';

const photos = 200;
let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lightwell-bench-'));
});
after(() => rm(folder, { recursive: true }));

test('seed.ts makes a gallery with lists, search and photos to open', async () => {
  await withServer(await seed(photos, folder), async (read) => {
    const everybody = await read('/api/photos?limit=1');
    const own = await read('/api/photos?limit=1', viewerToken);
    assert.ok(everybody.pagination.total > photos / 2);
    assert.ok(own.pagination.total >= everybody.pagination.total);
    const found = await read('/api/photos?keyword=sunset');
    assert.ok(found.pagination.total > 0);
    const photo = await read(`/api/photos/${found.list[0]!.id}`);
    assert.match(photo.path, /\/storage\/0+\w+\.original\.jpg/);
  });
});

test('seed-people.ts makes a gallery with an album, a feed, comments and notifications', async () => {
  const dataDir = join(folder, 'people');
  await makeGallery(dataDir, undefined, { photos, albumEvery: 10, comments: notifications });
  await withServer(dataDir, async (read) => {
    assert.equal((await read(`/api/albums/${albumId}/photos`)).pagination.total, photos / 10);
    assert.ok((await read('/api/feed', reader.token)).pagination.total > 0);
    const { pagination } = await read(`/api/photos/${talkedAbout.photoId}/comments`);
    assert.ok(pagination.total > 0);
    assert.ok((await read('/api/notifications', reader.token)).pagination.total > 0);
  });
});

interface Answer {
  path: string;
  list: { id: number }[];
  pagination: { total: number };
}

type Read = (path: string, token?: string) => Promise<Answer>;

async function withServer(dataDir: string, check: (read: Read) => Promise<void>): Promise<void> {
  const server = await startServer('gallery', dataDir);
  try {
    await check(async (path, token) => {
      const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
      const response = await fetch(server.url + path, { headers });
      const body = (await response.json()) as { code: number; data: Answer };
      assert.equal(response.status, 200, `${path}: ${JSON.stringify(body)}`);
      return body.data;
    });
  } finally {
    await server.stop();
  }
}
