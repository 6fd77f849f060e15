/** Uploads one file by tus, and resumes an earlier attempt of this browser. */
import { type DetailedError, defaultOptions, Upload } from 'tus-js-client';
import { accountWatch } from '../api/account-watch.ts';
import { readUploadFault, toUploadFault, type UploadFault, unreadableFileFault } from './faults.ts';
import { readMegapixels } from './picture-size.ts';
import { hashFileSample } from './sample.ts';
import { getUploadItemKey } from './saved-upload.ts';
import { hashFile } from './sha256.ts';

/** Bytes per request. A proxy may buffer a body, so a failure repeats at most one chunk. */
const chunkBytes = 16 * 1024 * 1024;
/** Milliseconds after which the server has deleted an unfinished upload. */
const serverRetentionMs = 86_400_000;

export interface ActiveUpload {
  /** Stops sending. With `isForGood` the server deletes the upload too. */
  stop(isForGood: boolean): void;
}

export interface UploadEvents {
  onProgress(sent: number): void;
  /** `photo` is undefined if the photo was created but the response was lost. */
  onDone(photo: number | undefined): void;
  onFault(fault: UploadFault): void;
  /** Receives a header of each response, which reports the rate limit of uploads. */
  onResponse?(getHeader: (name: string) => string | undefined): void;
}

/** `metadata` is called when the upload starts; a resumed upload keeps its earlier metadata. */
export function sendFile(
  { file, folder, maxMegapixels = Infinity }: { file: File; folder: string; maxMegapixels?: number },
  metadata: () => Promise<Record<string, string>>,
  events: UploadEvents,
): ActiveUpload {
  let isStopped = false;
  const unlessStopped =
    <Given extends unknown[]>(act: (...given: Given) => void) =>
    (...given: Given) => {
      if (!isStopped) act(...given);
    };
  const upload = new Upload(file, {
    endpoint: '/api/uploads',
    chunkSize: chunkBytes,
    // The queue retries, because it knows whether the gallery is reachable for all files.
    retryDelays: null,
    // The content sample prevents resuming with another file of the same name, size and time.
    fingerprint: async () => `${getUploadItemKey({ file, folder })}/${await hashFileSample(file)}`,
    removeFingerprintOnSuccess: true,
    // Files of one account must not be sent for another account that signed in elsewhere.
    onBeforeRequest: accountWatch.check,
    onAfterResponse: (_, response) => events.onResponse?.((name) => response.getHeader(name)),
    onProgress: unlessStopped(events.onProgress),
    onSuccess: unlessStopped(({ lastResponse }) => events.onDone(readPhotoId(lastResponse?.getBody()))),
    onError: unlessStopped((error) => {
      void explainError(file, error as DetailedError).then(unlessStopped(events.onFault));
    }),
  });
  void startUpload();
  return {
    stop(isForGood) {
      isStopped = true;
      void upload.abort(isForGood).catch(() => {});
    },
  };

  async function startUpload(): Promise<void> {
    let given: Record<string, string>;
    try {
      const megapixels = await readMegapixels(file).catch(() => undefined);
      if (megapixels !== undefined && megapixels > maxMegapixels && !isStopped)
        return events.onFault({ kind: 'refused', refusal: { reason: 'pixels', max: maxMegapixels } });
      given = await metadata();
    } catch (error) {
      if (!isStopped) events.onFault(toUploadFault(error));
      return;
    }
    try {
      const [earlier] = await upload.findPreviousUploads();
      if (earlier) upload.resumeFromPreviousUpload(earlier);
      const sha256 = earlier ? undefined : (given.sha256 ?? (await hashFile(file)));
      upload.options.metadata = { filename: file.name, ...given, ...(sha256 && { sha256 }) };
      if (!isStopped) upload.start();
    } catch {
      if (!isStopped) events.onFault(unreadableFileFault);
    }
  }
}

/** Returns the fault of a failed upload. A file deleted from the disk looks like a broken connection. */
async function explainError(file: File, error: DetailedError): Promise<UploadFault> {
  const fault = await readUploadFault(error);
  if (fault.kind !== 'unreachable') return fault;
  try {
    await file.slice(0, 1).arrayBuffer();
    return fault;
  } catch {
    return unreadableFileFault;
  }
}

function readPhotoId(body = ''): number | undefined {
  try {
    return JSON.parse(body).data?.id;
  } catch {
    return undefined;
  }
}

/**
 * Deletes unfinished uploads of this browser on the server to free their quota. Without `all`, only expired
 * ones are removed.
 */
export async function deleteAbandonedUploads(all: boolean): Promise<void> {
  const { urlStorage } = defaultOptions;
  for (const begun of await urlStorage.findAllUploads()) {
    const isOld = Date.now() - Date.parse(begun.creationTime) > serverRetentionMs;
    if (!all && !isOld) continue;
    await urlStorage.removeUpload(begun.urlStorageKey);
    if (!isOld && begun.uploadUrl)
      await Upload.terminate(begun.uploadUrl, { retryDelays: null }).catch(() => {});
  }
}
