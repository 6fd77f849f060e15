/**
 * The protocol, by @tus/server: headers, statuses, offsets and extensions are its matter. It is given each request's
 * headers and a store for that request; the bytes never pass through it, and errors come out as those of our catalogue.
 */
import type { Upload } from '@tus/server';
import { errors } from '../../platform/errors/catalogue.ts';
import { algorithms } from './checksum.ts';
import type { GivenMetadata } from './metadata.ts';

export const tusVersion = '1.0.0';
const extensions = ['creation', 'creation-with-upload', 'termination', 'checksum', 'expiration'];
/** Of a request, what is the protocol's. */
const tusHeaders = [
  'tus-resumable',
  'upload-length',
  'upload-defer-length',
  'upload-offset',
  'upload-metadata',
  'upload-concat',
  'content-type',
  'content-length',
];
/** Of an answer: the others say who may read it, which is not the protocol's. */
const answered = [
  'cache-control',
  'location',
  'upload-expires',
  'upload-length',
  'upload-metadata',
  'upload-offset',
];

/** What `OPTIONS` tells of this server. */
export const optionsHeaders = (maxBytes: number): Record<string, string> => ({
  'Tus-Resumable': tusVersion,
  'Tus-Version': tusVersion,
  'Tus-Extension': extensions.join(','),
  'Tus-Max-Size': String(maxBytes),
  'Tus-Checksum-Algorithm': algorithms.join(','),
});

/** What browsers of other origins may send and read. */
export const corsOfUploads = {
  methods: ['POST', 'HEAD', 'PATCH', 'DELETE'],
  requestHeaders: [
    'Tus-Resumable',
    'Upload-Length',
    'Upload-Offset',
    'Upload-Metadata',
    'Upload-Checksum',
    'X-Request-ID',
    'X-Requested-With',
  ],
  answerHeaders: [
    'Location',
    'Tus-Resumable',
    'Tus-Version',
    'Tus-Extension',
    'Tus-Max-Size',
    'Tus-Checksum-Algorithm',
    'Upload-Offset',
    'Upload-Length',
    'Upload-Metadata',
    'Upload-Expires',
  ],
};

export interface TusRequest {
  method: string;
  /** Of the upload; of a creation, that of the new one. */
  id: string;
  headers: Record<string, string | string[] | undefined>;
}

/** What the protocol acts on, for one request. */
export interface TusStore {
  /** What must hold before anything is created. */
  check(upload: NewUpload): Promise<void>;
  create(upload: NewUpload): Promise<void>;
  /** Before anything is read or changed. */
  lock(): Promise<void>;
  find(): Promise<FoundUpload>;
  /** Takes the request's bytes; returns the new offset. */
  write(offset: number): Promise<number>;
  /** All bytes are there. */
  finish(): Promise<void>;
  remove(): Promise<void>;
}

export interface NewUpload {
  size: number;
  metadata: GivenMetadata;
}

export interface FoundUpload extends NewUpload {
  offset: number;
  /** Unix seconds. */
  createTime: number;
}

export interface TusAnswer {
  status: number;
  headers: Record<string, string>;
}

interface TusOptions {
  maxBytes: number;
  lifeSeconds: number;
  /** The URL of an upload, absolute or from the root. */
  urlOf(id: string): string;
}

export type Tus = ReturnType<typeof createTus>;

export function createTus({ maxBytes, lifeSeconds, urlOf }: TusOptions) {
  // With the first upload: the protocol's library brings the platform's Request and Response into memory.
  let library: Promise<typeof import('@tus/server')> | undefined;

  /** Throws errors of the catalogue, and what the store throws. */
  return async ({ method, id, headers }: TusRequest, store: TusStore): Promise<TusAnswer> => {
    // The library tells a missing version from another one, and calls the latter a bad request.
    if (headers['tus-resumable'] !== tusVersion) throw errors.protocolVersion();
    library ??= import('@tus/server');
    const { Server, DataStore, Upload } = await library;
    const newOf = ({ size = 0, metadata = {} }: Upload): NewUpload => ({ size, metadata });
    const datastore = Object.assign(new DataStore(), {
      extensions,
      getExpiration: () => lifeSeconds * 1000,
      create: async (upload: Upload) => {
        await store.create(newOf(upload));
        return upload;
      },
      getUpload: async () => {
        const { offset, size, metadata, createTime } = await store.find();
        return new Upload({
          id,
          offset,
          size,
          metadata,
          creation_date: new Date(createTime * 1000).toISOString(),
        });
      },
      write: async (unused: { resume(): void }, _id: string, offset: number) => {
        unused.resume();
        return store.write(offset);
      },
      remove: () => store.remove(),
    });
    let failure: unknown;
    const server = new Server({
      path: '/api/uploads',
      datastore,
      maxSize: maxBytes,
      disableTerminationForFinishedUploads: true,
      namingFunction: () => id,
      getFileIdFromRequest: () => id,
      generateUrl: () => urlOf(id),
      // Held until the request ends, which is later than the library thinks: turns.ts.
      locker: { newLock: () => ({ lock: () => store.lock(), unlock: async () => {} }) },
      onUploadCreate: async (_request, upload) => {
        await store.check(newOf(upload));
        return {};
      },
      onUploadFinish: async () => {
        await store.finish();
        return {};
      },
      onResponseError: (_request, error) => {
        failure = error;
        return undefined;
      },
    });
    const response = await server.handleWeb(requestOf(method, headers));
    if (failure instanceof Error) throw failure;
    if (response.status >= 400) throw toApiError(response.status, (await response.text()).trim());
    const found = answered.map((name) => [name, response.headers.get(name)] as const);
    const present = found.filter((entry): entry is [string, string] => entry[1] !== null);
    return { status: response.status, headers: Object.fromEntries(present) };
  };
}

function requestOf(method: string, headers: TusRequest['headers']): Request {
  const own = new Headers();
  for (const name of tusHeaders) {
    const value = headers[name];
    if (value !== undefined) own.set(name, String(value));
  }
  // The parser of bodies has seen to the type; what is empty has none.
  if (method === 'PATCH') own.set('content-type', 'application/offset+octet-stream');
  // No more of it is read; a whole one would refuse some of these headers.
  return { method, url: 'http://localhost/api/uploads', headers: own, body: null } as unknown as Request;
}

function toApiError(status: number, message: string): Error {
  switch (status) {
    case 404:
    case 410:
      return errors.uploadNotFound();
    case 409:
      return errors.uploadConflict();
    case 412:
      return errors.protocolVersion();
    case 413:
      return errors.fileTooLarge();
    case 400:
    case 403:
    case 501:
      return errors.invalid({ message });
    default:
      return new Error(`tus answers ${status}: ${message}`);
  }
}
