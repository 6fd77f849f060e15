/**
 * Storage driver for a bucket. Objects are named `<prefix><name>`, with their SHA-256 in the metadata. Temporary files
 * lie on the local disk in `DATA_DIR/tmp`. Loaded only if STORAGE_URL names a bucket.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { LRUCache } from 'lru-cache';
import { StorageUnusable } from '../../errors/storage.ts';
import { checkObjectName, createObjectKey, objectName, parseObjectName } from '../keys.ts';
import type { SignedObjectUrl, Storage } from '../storage.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../temporary.ts';
import {
  createS3CallBounds,
  createS3Store,
  defaultTimeouts,
  type S3Keys,
  type S3Store,
  type S3Timeouts,
} from './client.ts';
import { getHttpStatus, translateS3Errors, undefinedIfMissing } from './errors.ts';
import { createPutObjects } from './put.ts';
import {
  createOpenLocalFile,
  createOpenObject,
  createReadObject,
  createStatObject,
  type OpenObject,
} from './read.ts';
import { markerObjectName, openBucket, readBucketMarker, readTextObject } from './start.ts';
import { describeS3Location, parseStorageUrl } from './url.ts';

export interface S3Options {
  url: string;
  /** Access keys. Undefined lets the SDK search the environment, the profile and the machine's role. */
  keys?: S3Keys | undefined;
  dataDir: string;
  /** Whether browsers fetch images directly from the bucket. */
  redirect?: boolean;
  timeouts?: S3Timeouts;
  isReadOnly?: boolean | undefined;
}

const epochObjectName = '.stamp';
const namesPerPage = 1000;

/** Opens the storage. Throws StorageUnusable when the bucket cannot be used. */
export async function openS3Storage(options: S3Options): Promise<Storage> {
  const place = parseStorageUrl(options.url);
  const store = createS3Store(place, options.keys, options.timeouts ?? defaultTimeouts);
  const isReadOnly = options.isReadOnly === true;
  const temporary = createTemporaryFolder(join(options.dataDir, 'tmp'));
  if (!isReadOnly) await tryTemporaryFolder(options.dataDir, temporary);
  const openAny = createOpenObject(store);
  const open: OpenObject = async (name, range, sha256) => openAny(checkObjectName(name), range, sha256);
  const { id, ping } = await (isReadOnly ? readBucketMarker : openBucket)(store, openAny);

  return {
    ...(options.redirect && (await addresses(store))),
    id,
    marker: `${markerObjectName} in ${describeS3Location(place)}`,
    location: describeS3Location(place),
    warnings: [],
    ping,
    readEpoch: () => readTextObject(openAny, epochObjectName),
    async writeEpoch(epoch) {
      const command = new PutObjectCommand({ ...store.at(epochObjectName), Body: `${epoch}\n` });
      await translateS3Errors(store.calls.send(command, createS3CallBounds(store)));
    },
    temporary: temporary.make,
    put: createPutObjects(store, open),
    read: createReadObject(store, open),
    openLocalFile: createOpenLocalFile(store, open, temporary.make),
    stat: createStatObject(store),
    list: () => listObjects(store),
    async open(name, range) {
      return (await open(name, range))?.body;
    },
    async remove(name) {
      await undefinedIfMissing(
        store.calls.send(new DeleteObjectCommand(store.at(checkObjectName(name))), createS3CallBounds(store)),
      );
    },
    async clearTemporary() {
      return (await temporary.clear()) + (await translateS3Errors(endAbandonedUploads(store)));
    },
  };
}

async function addresses(store: S3Store): Promise<Pick<Storage, 'signAddress' | 'imageOrigin'>> {
  const signAddress = createSignObjectUrl(store);
  const { url } = await signAddress(objectName(createObjectKey(), 'thumb', 'webp'), {
    mime: 'image/webp',
    now: 0,
  });
  return { signAddress, imageOrigin: new URL(url).origin };
}

/** Lists one page at a time, so that a million names never fill the memory. */
async function* listObjects(store: S3Store): AsyncGenerator<string[]> {
  const { bucket: Bucket, prefix: Prefix } = store.location;
  let token: string | undefined;
  do {
    const command = new ListObjectsV2Command({
      Bucket,
      Prefix,
      MaxKeys: namesPerPage,
      ContinuationToken: token,
    });
    const page = await translateS3Errors(store.calls.send(command, createS3CallBounds(store)));
    const names = (page.Contents ?? []).map(({ Key = '' }) => Key.slice(Prefix.length));
    yield names.filter((name) => parseObjectName(name));
    token = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (token);
}

async function tryTemporaryFolder(dataDir: string, temporary: TemporaryFolder): Promise<void> {
  const folder = join(dataDir, 'tmp');
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await temporary.clear();
    await (await temporary.make()).discard();
  } catch (error) {
    throw new StorageUnusable(
      `Cannot create temporary files in ${folder}: ${(error as Error).message}`,
      error,
    );
  }
}

/** Milliseconds after which a multipart upload counts as abandoned. No upload takes that long. */
const abandonedAfterMs = 86_400_000;
const maxAtOnce = 1000;

/** Aborts at most 1,000 multipart uploads that began more than a day ago. Returns their number. */
async function endAbandonedUploads(store: S3Store): Promise<number> {
  const { bucket, prefix } = store.location;
  const { Uploads = [] } = await store.calls
    .send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, MaxUploads: maxAtOnce }),
      createS3CallBounds(store),
    )
    .catch(unlessUnknown);
  // Other programs may use the same bucket, so only the gallery's own uploads are aborted.
  const own = Uploads.filter(({ Key = '' }) => parseObjectName(Key.slice(prefix.length)));
  // The store's clock decides; the client knows its offset from the response. Our clock may be days ahead.
  const now = Date.now() + store.calls.config.systemClockOffset;
  const due = own.filter(({ Initiated }) => Initiated && now - +Initiated > abandonedAfterMs);
  for (const { Key, UploadId } of due) {
    const command = new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId });
    await translateS3Errors(store.calls.send(command, createS3CallBounds(store)));
  }
  return due.length;
}

/** Returns no uploads if the store cannot list them. Such a store must clean up multipart uploads by its own rules. */
function unlessUnknown(error: Error): { Uploads?: undefined } {
  const status = getHttpStatus(error);
  if (status === 501 || status === 405 || error.name === 'NotImplemented') return {};
  throw error;
}

/**
 * Seconds for which the same signed URL is returned, so that browser caches can use it. A URL is valid for one to two
 * periods.
 */
const periodSeconds = 150;
const addressesRemembered = 10_000;

export function createSignObjectUrl(store: S3Store): NonNullable<Storage['signAddress']> {
  // Signing takes a millisecond, and a page of thumbnails needs a hundred URLs at each visit.
  const addresses = new LRUCache<string, SignedObjectUrl>({ max: addressesRemembered });

  return async (name, { mime, now }) => {
    const signed = Math.floor(now / periodSeconds) * periodSeconds;
    const id = `${name} ${mime} ${signed}`;
    const known = addresses.get(id);
    if (known) return known;
    const command = new GetObjectCommand({
      ...store.at(checkObjectName(name)),
      ResponseContentType: mime,
      ResponseCacheControl: `private, max-age=${2 * periodSeconds}`,
    });
    const url = await translateS3Errors(
      getSignedUrl(store.signer, command, {
        signingDate: new Date(signed * 1000),
        expiresIn: 2 * periodSeconds,
      }),
    );
    const address = { url, expires: signed + 2 * periodSeconds };
    addresses.set(id, address);
    return address;
  };
}
