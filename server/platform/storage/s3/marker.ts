/**
 * The object `.lightwell`: what the marker file is in a folder (marker.ts). It tells the gallery's storage from an
 * empty or foreign bucket, by the random id in it.
 */
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { StorageUnusable } from '../../errors/storage.ts';
import { parseObjectName } from '../keys.ts';
import { bounds, type S3Store } from './client.ts';
import type { OpenObject } from './read.ts';
import { describePlace } from './url.ts';

export const markerName = '.lightwell';

/** For a store without conditional writes: a process that writes at the same moment has written by then. */
const settleMs = 500;

export function readMarker(open: OpenObject): Promise<string | undefined> {
  return readText(open, markerName);
}

/** A small object of text beside the photos; undefined when there is none. */
export async function readText(open: OpenObject, name: string): Promise<string | undefined> {
  const found = await open(name);
  return found && (await buffer(found.body)).toString('utf8').trim();
}

/** Makes the marker where there is none; of several processes that do so at once, one wins. */
export async function makeMarker(store: S3Store, open: OpenObject): Promise<string> {
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
    const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
    // 409: two such writes at the same moment.
    if (status === 412 || status === 409) return false;
    if (status !== 501) throw error;
    await store.calls.send(new PutObjectCommand(write), bounds(store));
  }
  return true;
}
