/** Finds out, before anything is served, whether the bucket is the right one and may be used; and later, for health. */
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { StorageUnusable, unlessFull } from '../../errors/storage.ts';
import { shared } from '../shared.ts';
import { bounds, type S3Store } from './client.ts';
import { reached, toStartError } from './errors.ts';
import { makeMarker, readMarker } from './marker.ts';
import type { OpenObject } from './read.ts';
import { describePlace } from './url.ts';

/** Written over and over, so that nothing of it has to be removed. */
const pingName = '.ping';
/** Health is asked every few seconds, and each write is paid for. */
const writeEveryMs = 30_000;

/** Throws StorageUnusable. */
export async function start(
  store: S3Store,
  open: OpenObject,
): Promise<{ id: string; ping(): Promise<void> }> {
  try {
    const id = (await readMarker(open)) ?? (await makeMarker(store, open));
    const ping = createPing(store, open, id);
    await unlessFull(ping());
    return { id, ping };
  } catch (error) {
    throw toStartError(error, store.place);
  }
}

/** The same for commands that only read: neither makes a marker nor tries to write. */
export async function startToRead(
  store: S3Store,
  open: OpenObject,
): Promise<{ id: string; ping(): Promise<void> }> {
  const id = await readMarker(open).catch((error: unknown) => {
    throw toStartError(error, store.place);
  });
  if (id) return { id, ping: async () => {} };
  throw new StorageUnusable(`There are no photos of a gallery in ${describePlace(store.place)}.`);
}

function createPing(store: S3Store, open: OpenObject, id: string): () => Promise<void> {
  let writtenAt = Number.NEGATIVE_INFINITY;
  return shared(async () => {
    if ((await readMarker(open)) !== id) throw new Error('the marker of the storage is gone, or another');
    if (performance.now() - writtenAt < writeEveryMs) return;
    writtenAt = Number.NEGATIVE_INFINITY;
    await reached(
      store.calls.send(new PutObjectCommand({ ...store.at(pingName), Body: '.' }), bounds(store)),
    );
    writtenAt = performance.now();
  });
}
