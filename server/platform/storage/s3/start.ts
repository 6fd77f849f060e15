/**
 * Checks at the start whether the bucket is the gallery's own and can be used. Provides the later health checks, too.
 */
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { shareRunningCall } from '../../concurrency/shared-call.ts';
import { ignoreFullStorage, StorageUnusable } from '../../errors/storage.ts';
import { parseObjectName } from '../keys.ts';
import { createS3CallBounds, type S3Store } from './client.ts';
import { getHttpStatus, toS3StartError, translateS3Errors } from './errors.ts';
import type { OpenObject } from './read.ts';
import { describeS3Location } from './url.ts';

/** Name of the object that `ping` overwrites, so that no test object has to be removed. */
const pingName = '.ping';
/** Minimum milliseconds between two test writes. Health checks run every few seconds, and each write costs money. */
const writeEveryMs = 30_000;

/** Reads or creates the marker and tests the bucket. Throws StorageUnusable. */
export async function openBucket(
  store: S3Store,
  open: OpenObject,
): Promise<{ id: string; ping(): Promise<void> }> {
  try {
    const id = (await readMarker(open)) ?? (await makeMarker(store, open));
    const ping = createPing(store, open, id);
    await ignoreFullStorage(ping());
    return { id, ping };
  } catch (error) {
    throw toS3StartError(error, store.location);
  }
}

/** Reads the marker for commands that only read. Creates no marker and tests no writing. */
export async function readBucketMarker(
  store: S3Store,
  open: OpenObject,
): Promise<{ id: string; ping(): Promise<void> }> {
  const id = await readMarker(open).catch((error: unknown) => {
    throw toS3StartError(error, store.location);
  });
  if (id) return { id, ping: async () => {} };
  throw new StorageUnusable(`${describeS3Location(store.location)} holds no photos of a gallery.`);
}

function createPing(store: S3Store, open: OpenObject, id: string): () => Promise<void> {
  let writtenAt = Number.NEGATIVE_INFINITY;
  return shareRunningCall(async () => {
    if ((await readMarker(open)) !== id)
      throw new Error('the marker of the storage is missing or has changed');
    if (performance.now() - writtenAt < writeEveryMs) return;
    writtenAt = Number.NEGATIVE_INFINITY;
    await translateS3Errors(
      store.calls.send(new PutObjectCommand({ ...store.at(pingName), Body: '.' }), createS3CallBounds(store)),
    );
    writtenAt = performance.now();
  });
}

/** Name of the marker object, whose random id distinguishes the gallery's storage from an empty or foreign bucket. */
export const markerObjectName = '.lightwell';

/** Milliseconds to wait in a store without conditional writes, so that a concurrent writer has finished. */
const settleMs = 500;

function readMarker(open: OpenObject): Promise<string | undefined> {
  return readTextObject(open, markerObjectName);
}

/** Returns a small text object that lies beside the photos, or undefined if it does not exist. */
export async function readTextObject(open: OpenObject, name: string): Promise<string | undefined> {
  const found = await open(name);
  return found && (await buffer(found.body)).toString('utf8').trim();
}

/** Creates the marker if there is none, and returns the id in it. If several processes do so at once, one wins. */
async function makeMarker(store: S3Store, open: OpenObject): Promise<string> {
  await refuseLostMarker(store);
  const id = randomBytes(16).toString('hex');
  await writeNew(store, id);
  // The second write is refused unless the store ignores the condition. In such a store a concurrent process may still
  // overwrite the marker.
  if (await writeNew(store, id)) await pause(settleMs);
  return (await readMarker(open)) ?? '';
}

/**
 * Throws when the bucket holds objects of a gallery but no marker. The marker was removed, or the bucket is an
 * incomplete copy.
 */
async function refuseLostMarker(store: S3Store): Promise<void> {
  const { bucket: Bucket, prefix: Prefix } = store.location;
  const list = new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 10 });
  const { Contents = [] } = await store.calls.send(list, createS3CallBounds(store));
  if (!Contents.some(({ Key = '' }) => parseObjectName(Key.slice(Prefix.length)))) return;
  throw new StorageUnusable(
    `${describeS3Location(store.location)} holds photos, but its marker ${markerObjectName} is missing. Restore the marker: ` +
      'it contains the id that the database stores as the setting "storage".',
  );
}

/**
 * Writes the marker if it does not exist, and returns whether it was written. A store without conditional writes
 * overwrites the marker, or rejects the condition and gets a plain write.
 */
async function writeNew(store: S3Store, id: string): Promise<boolean> {
  const write = { ...store.at(markerObjectName), Body: `${id}\n` };
  try {
    await store.calls.send(new PutObjectCommand({ ...write, IfNoneMatch: '*' }), createS3CallBounds(store));
  } catch (error) {
    const status = getHttpStatus(error);
    // Status 409 means that two such writes came at the same time.
    if (status === 412 || status === 409) return false;
    if (status !== 501) throw error;
    await store.calls.send(new PutObjectCommand(write), createS3CallBounds(store));
  }
  return true;
}
