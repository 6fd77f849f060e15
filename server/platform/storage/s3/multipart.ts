/** Parts of uploads that a killed process left: invisible, and paid for until the upload is aborted. */
import { AbortMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { parseObjectName } from '../keys.ts';
import { bounds, type S3Store } from './client.ts';
import { reached } from './errors.ts';

/** No upload takes so long. */
const abandonedAfterMs = 86_400_000;
const maxAtOnce = 1000;

/** Ends those begun more than a day ago, a thousand at most; returns how many. */
export async function endAbandonedUploads(store: S3Store): Promise<number> {
  const { bucket, prefix } = store.place;
  const { Uploads = [] } = await store.calls
    .send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, MaxUploads: maxAtOnce }),
      bounds(store),
    )
    .catch(unlessUnknown);
  // Others may keep things in the same bucket.
  const own = Uploads.filter(({ Key = '' }) => parseObjectName(Key.slice(prefix.length)));
  // By the store's clock, which the client has read in its answer: ours may be days ahead of it.
  const now = Date.now() + store.calls.config.systemClockOffset;
  const due = own.filter(({ Initiated }) => Initiated && now - +Initiated > abandonedAfterMs);
  for (const { Key, UploadId } of due) {
    const command = new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId });
    await reached(store.calls.send(command, bounds(store)));
  }
  return due.length;
}

/** Not every store can list them; its own rules for such uploads have to do. */
function unlessUnknown(error: Error): { Uploads?: undefined } {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  if (status === 501 || status === 405 || error.name === 'NotImplemented') return {};
  throw error;
}
