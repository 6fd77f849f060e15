/** One file on its way, by tus: it goes on where an earlier try of this browser ended. */
import { type DetailedError, defaultOptions, Upload } from 'tus-js-client';
import { accountWatch } from '../api/account-watch.ts';
import { readFault, toFault, type UploadFault, unreadableFault } from './faults.ts';
import { hashSample } from './sample.ts';
import { itemKey } from './saved-upload.ts';
import { hashFile } from './sha256.ts';

/** As much is sent again, at most, where a proxy collects bodies before it hands them on. */
const chunkBytes = 16 * 1024 * 1024;
/** After this, the server has forgotten what was begun. */
const serverRetentionMs = 86_400_000;

export interface ActiveUpload {
  /** Ends it. `isForGood`: the server forgets it, too. */
  stop(isForGood: boolean): void;
}

export interface UploadEvents {
  onProgress(sent: number): void;
  /** `photo` is undefined where the answer was lost, and the photo is there nevertheless. */
  onDone(photo: number | undefined): void;
  onFault(fault: UploadFault): void;
}

/** `metadata` is asked for when the upload begins: what was begun earlier keeps what it was given. */
export function sendFile(
  { file, folder }: { file: File; folder: string },
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
    // The queue tries again: it knows of all files whether the gallery can be reached.
    retryDelays: null,
    // What was begun with another file of the same name, size and time is not gone on with.
    fingerprint: async () => `${itemKey({ file, folder })}/${await hashSample(file)}`,
    removeFingerprintOnSuccess: true,
    // What was chosen here is not sent in the name of who signed in elsewhere.
    onBeforeRequest: accountWatch.check,
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
      given = await metadata();
    } catch (error) {
      if (!isStopped) events.onFault(toFault(error));
      return;
    }
    try {
      const [earlier] = await upload.findPreviousUploads();
      if (earlier) upload.resumeFromPreviousUpload(earlier);
      const sha256 = earlier ? undefined : await hashFile(file);
      upload.options.metadata = { filename: file.name, ...given, ...(sha256 && { sha256 }) };
      if (!isStopped) upload.start();
    } catch {
      if (!isStopped) events.onFault(unreadableFault);
    }
  }
}

/** A file that is gone from the disk looks like a connection that broke. */
async function explainError(file: File, error: DetailedError): Promise<UploadFault> {
  const fault = await readFault(error);
  if (fault.kind !== 'unreachable') return fault;
  try {
    await file.slice(0, 1).arrayBuffer();
    return fault;
  } catch {
    return unreadableFault;
  }
}

function readPhotoId(body = ''): number | undefined {
  try {
    return JSON.parse(body).data?.id;
  } catch {
    return undefined;
  }
}

/** Begun here and never ended: told to the server, so that it keeps no room for them. `all`, or those that are old. */
export async function deleteAbandoned(all: boolean): Promise<void> {
  const { urlStorage } = defaultOptions;
  for (const begun of await urlStorage.findAllUploads()) {
    const isOld = Date.now() - Date.parse(begun.creationTime) > serverRetentionMs;
    if (!all && !isOld) continue;
    await urlStorage.removeUpload(begun.urlStorageKey);
    if (!isOld && begun.uploadUrl)
      await Upload.terminate(begun.uploadUrl, { retryDelays: null }).catch(() => {});
  }
}
