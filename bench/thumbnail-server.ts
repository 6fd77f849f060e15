/** One of the two servers that `thumbnail.ts` compares, in its own process to measure its CPU time. */

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { createApp } from '../server/app.ts';
import { readConfig } from '../server/config.ts';
import { type Deps, openDeps } from '../server/deps.ts';
import { insertUser } from '../server/gallery/accounts/store.ts';
import { insertPhotoCounters } from '../server/gallery/library/counters.ts';
import { asLibraryWriter } from '../server/gallery/library/tables.ts';
import { createLog } from '../server/platform/operations/log.ts';
import { createObjectKey, objectName } from '../server/platform/storage/keys.ts';

/** Number of photos on a page of the list, each with its own random thumbnail. */
const photos = 20;
const thumbs = Array.from({ length: photos }, () => randomBytes(20_000));

async function bare(): Promise<{ app: FastifyInstance; paths: string[] }> {
  const app = fastify();
  app.get<{ Params: { index: number } }>('/thumb/:index', (request, reply) => {
    reply.type('image/webp').send(thumbs[request.params.index]);
  });
  return { app, paths: thumbs.map((_, index) => `/thumb/${index}`) };
}

async function ours(): Promise<{ app: FastifyInstance; paths: string[] }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lightwell-bench-'));
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const config = readConfig({ DATA_DIR: dataDir, NODE_ENV: 'production' });
  const deps = await openDeps(config, createLog(config));
  const user = await insertUser(deps, { username: 'owner', email: 'owner@example.org', passwordHash: '' });
  const names: string[] = [];
  for (const thumb of thumbs) names.push(await addThumb(deps, user.id, thumb));
  return {
    app: (await createApp(deps)) as unknown as FastifyInstance,
    paths: names.map((name) => `/storage/${name}`),
  };
}

async function addThumb({ db, storage }: Deps, userId: number, thumb: Buffer): Promise<string> {
  const key = createObjectKey();
  const name = objectName(key, 'thumb', 'webp');
  await storage.put([{ name, source: thumb }]);
  const size = { width: 400, height: 300, size: thumb.length, placeholder: '', create_time: 0 };
  const texts = {
    title: '',
    title_key: '',
    description: '',
    camera: '',
    aperture: '',
    shutter: '',
    file_name: '',
  };
  const { id } = await asLibraryWriter(db.kysely)
    .insertInto('photos')
    .values({
      ...size,
      iso: 0,
      ...texts,
      user_id: userId,
      visibility: 2,
      level: 1,
      image_key: key,
      original_key: key,
      album_id: null,
      update_time: 0,
      taken_time: 0,
      tags: '[]',
      sha256: '',
      delete_time: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertPhotoCounters(db.kysely, { id, user_id: userId, visibility: 2 });
  await db.kysely
    .insertInto('images')
    .values({
      ...size,
      key,
      photo_id: id,
      kind: 'original',
      edit_id: null,
      extension: 'jpg',
      mime: 'image/jpeg',
      preview_extension: 'jpg',
      full_extension: '',
      clean_parts: null,
      frames: 1,
      expire_time: null,
    })
    .execute();
  return name;
}

const { app, paths } = await (process.argv[2] === 'bare' ? bare() : ours());
const url = await app.listen({ port: 0, host: '127.0.0.1', listenTextResolver: () => '' });
process.on('SIGTERM', () => process.exit());
process.on('message', () => process.send!(process.cpuUsage()));
process.send!({ url, paths });
