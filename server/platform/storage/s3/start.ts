/** Finds out, before anything is served, whether the bucket is the right one and may be used; and later, for health. */
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { sharedCall } from '../../concurrency/shared-call.ts';
import { StorageUnusable, unlessFull } from '../../errors/storage.ts';
import { parseObjectName } from '../keys.ts';
import { bounds, type S3Store } from './client.ts';
import { reached, statusOf, toStartError } from './errors.ts';
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
  return sharedCall(async () => {
    if ((await readMarker(open)) !== id) throw new Error('the marker of the storage is gone, or another');
    if (performance.now() - writtenAt < writeEveryMs) return;
    writtenAt = Number.NEGATIVE_INFINITY;
    await reached(
      store.calls.send(new PutObjectCommand({ ...store.at(pingName), Body: '.' }), bounds(store)),
    );
    writtenAt = performance.now();
  });
}

/** Tells the gallery's storage from an empty or foreign bucket, by the random id in it. */
export const markerName = '.lightwell';

/** For a store without conditional writes: a process that writes at the same moment has written by then. */
const settleMs = 500;

function readMarker(open: OpenObject): Promise<string | undefined> {
  return readText(open, markerName);
}

/** A small object of text beside the photos; undefined when there is none. */
export async function readText(open: OpenObject, name: string): Promise<string | undefined> {
  const found = await open(name);
  return found && (await buffer(found.body)).toString('utf8').trim();
}

/** Makes the marker where there is none; of several processes that do so at once, one wins. */
async function makeMarker(store: S3Store, open: OpenObject): Promise<string> {
  await refuseLostMarker(store);
  const id = randomBytes(16).toString('hex');
  await writeNew(store, id);
  // Refused this time, unless the store does not know the condition.
  if (await writeNew(store, id)) await pause(settleMs);
  return (await readMarker(open)) ?? '';
}

/** Objects of a gallery without its marker: it was removed, or the bucket is an incomplete copy. */
async function refuseLostMarker(store: S3Store): Promise<void> {
  const { bucket: Bucket, prefix: Prefix } = store.place;
  const list = new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 10 });
  const { Contents = [] } = await store.calls.send(list, bounds(store));
  if (!Contents.some(({ Key = '' }) => parseObjectName(Key.slice(Prefix.length)))) return;
  throw new StorageUnusable(
    `${describePlace(store.place)} holds photos, but not their marker ${markerName}. Bring it back: ` +
      'it holds the id that the database keeps under the setting "storage".',
  );
}

/** Whether it was written: a store that does not know the condition overwrites, or refuses such requests. */
async function writeNew(store: S3Store, id: string): Promise<boolean> {
  const write = { ...store.at(markerName), Body: `${id}\n` };
  try {
    await store.calls.send(new PutObjectCommand({ ...write, IfNoneMatch: '*' }), bounds(store));
  } catch (error) {
    const status = statusOf(error);
    // 409: two such writes at the same moment.
    if (status === 412 || status === 409) return false;
    if (status !== 501) throw error;
    await store.calls.send(new PutObjectCommand(write), bounds(store));
  }
  return true;
}
