/** One file on its way, by tus: it goes on where an earlier try of this browser ended. */
import { type DetailedError, defaultOptions, Upload } from 'tus-js-client';
import { account } from '../api/account.ts';
import { type Fault, faultOf, faultOfCall, unreadable } from './faults.ts';
import { identityOf } from './record.ts';
import { sampleOf } from './sample.ts';
import { sha256Of } from './sha256.ts';

/** As much is sent again, at most, where a proxy collects bodies before it hands them on. */
const chunkBytes = 16 * 1024 * 1024;
/** After this, the server has forgotten what was begun. */
const keptMs = 86_400_000;

export interface Sending {
  /** Ends it. `isForGood`: the server forgets it, too. */
  stop(isForGood: boolean): void;
}

export interface SendingEvents {
  onProgress(sent: number): void;
  /** `photo` is undefined where the answer was lost, and the photo is there nevertheless. */
  onDone(photo: number | undefined): void;
  onFault(fault: Fault): void;
}

/** `metadata` is asked for when the upload begins: what was begun earlier keeps what it was given. */
export function send(
  { file, folder }: { file: File; folder: string },
  metadata: () => Promise<Record<string, string>>,
  events: SendingEvents,
): Sending {
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
    fingerprint: async () => `${identityOf({ file, folder })}/${await sampleOf(file)}`,
    removeFingerprintOnSuccess: true,
    // What was chosen here is not sent in the name of who signed in elsewhere.
    onBeforeRequest: account.check,
    onProgress: unlessStopped(events.onProgress),
    onSuccess: unlessStopped(({ lastResponse }) => events.onDone(idIn(lastResponse?.getBody()))),
    onError: unlessStopped((error) => {
      void explain(file, error as DetailedError).then(unlessStopped(events.onFault));
    }),
  });
  void begin();
  return {
    stop(isForGood) {
      isStopped = true;
      void upload.abort(isForGood).catch(() => {});
    },
  };

  async function begin(): Promise<void> {
    let given: Record<string, string>;
    try {
      given = await metadata();
    } catch (error) {
      if (!isStopped) events.onFault(faultOfCall(error));
      return;
    }
    try {
      const [earlier] = await upload.findPreviousUploads();
      if (earlier) upload.resumeFromPreviousUpload(earlier);
      const sha256 = earlier ? undefined : await sha256Of(file);
      upload.options.metadata = { filename: file.name, ...given, ...(sha256 && { sha256 }) };
      if (!isStopped) upload.start();
    } catch {
      if (!isStopped) events.onFault(unreadable);
    }
  }
}

/** A file that is gone from the disk looks like a connection that broke. */
async function explain(file: File, error: DetailedError): Promise<Fault> {
  const fault = await faultOf(error);
  if (fault.kind !== 'unreachable') return fault;
  try {
    await file.slice(0, 1).arrayBuffer();
    return fault;
  } catch {
    return unreadable;
  }
}

function idIn(body = ''): number | undefined {
  try {
    return JSON.parse(body).data?.id;
  } catch {
    return undefined;
  }
}

/** Begun here and never ended: told to the server, so that it keeps no room for them. `all`, or those that are old. */
export async function forgetBegun(all: boolean): Promise<void> {
  const { urlStorage } = defaultOptions;
  for (const begun of await urlStorage.findAllUploads()) {
    const isOld = Date.now() - Date.parse(begun.creationTime) > keptMs;
    if (!all && !isOld) continue;
    await urlStorage.removeUpload(begun.urlStorageKey);
    if (!isOld && begun.uploadUrl)
      await Upload.terminate(begun.uploadUrl, { retryDelays: null }).catch(() => {});
  }
}
