/** An album as a ZIP: its photos under their names, the albums in it as folders; made while it is sent. */
import type { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { addressKey, addressOf } from '../../../platform/connections/address.ts';
import { levelOf } from '../../../platform/db/dialect.ts';
import { ApiError } from '../../../platform/errors/catalogue.ts';
import { cleanSize } from '../../../platform/imaging/clean/clean.ts';
import { objectName } from '../../../platform/storage/keys.ts';
import { type ZipEntry, type ZipFolder, zipOf } from '../../../platform/zip/zip.ts';
import { readParts } from '../../delivery/clean-copy.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { isOwner } from '../../library/permissions.ts';
import { maxLevels } from '../../library/tree.ts';
import { fileFor } from '../../photos/download.ts';
import type { ArchiveKind } from '../schema.ts';
import { albumFolder, createNames, type Names, photoStem } from './names.ts';
import { type ArchiveAlbum, type ArchivePhoto, type ArchiveRows, createArchiveRows } from './rows.ts';

/** Bytes a second: at less than this even a small album would hold one of the few places for hours. */
const minReadRate = 16 * 1024;

/** For whom it is. */
interface Sight {
  /** Whose sight decides what is in it. */
  seer: Viewer | undefined;
  /** Who gets it: only a photo's owner gets the bytes that were uploaded. */
  reader: Viewer | undefined;
}

interface ArchiveRequest {
  kind: ArchiveKind;
  album: ArchiveAlbum;
  /** User or address, of whom only so many archives are sent at once. */
  caller: string;
  /** Whether the albums in it come along. */
  isDeep: boolean;
  /** Asked before each photo, for it may change meanwhile; throws when the caller may go on no longer. */
  look(): Promise<Sight>;
  admit?: Admit;
  begin?: Begin;
}

/** Asked once there is a place, before anything is sent: what it takes is not taken by who is refused as busy. */
type Admit = () => Promise<void>;

/** Told when its first file has been opened, and is about to leave for a client that is still there. */
type Begin = () => void;

/** The function throws tooManyRequests when the caller receives too many archives, busy when all clients together do. */
export function createSendArchive(deps: Deps) {
  const rows = createArchiveRows(deps);

  return (request: FastifyRequest, reply: FastifyReply, wanted: ArchiveRequest): Promise<FastifyReply> => {
    const { album, caller, admit, begin } = wanted;
    return sendZip(request, reply, { name: albumFolder(album), caller, admit, begin }, () =>
      entriesOf(deps, rows, wanted, { album, path: '', level: 1 }),
    );
  };
}

interface Zip {
  /** Of the file, without extension. */
  name: string;
  caller: string;
  admit?: Admit | undefined;
  begin?: Begin | undefined;
}

/** Throws tooManyRequests when the caller receives too many archives, busy when all clients together do. */
export async function sendZip(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, caller, admit, begin = () => {} }: Zip,
  entries: () => AsyncGenerator<ZipEntry | ZipFolder>,
): Promise<FastifyReply> {
  const leave = request.method === 'HEAD' ? undefined : enter(caller, request);
  try {
    await admit?.();
  } catch (error) {
    leave?.();
    throw error;
  }
  reply.headers({
    'content-type': 'application/zip',
    'content-disposition': contentDisposition(`${name}.zip`),
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  });
  if (!leave) return reply.send();
  const zip = zipOf(telling(entries(), () => reply.raw.destroyed || begin()));
  zip.once('close', leave).once('error', (error) => {
    // What may be told to a client (a share was revoked) is no failure of ours.
    if (!(error instanceof ApiError)) request.log[levelOf(error)]({ err: error }, 'an archive broke off');
  });
  reply.raw.minReadRate = minReadRate;
  return reply.send(zip);
}

/** Tells when the first of them is there, or it is known that there is none. */
async function* telling<Entry>(entries: AsyncIterable<Entry>, begin: () => void): AsyncGenerator<Entry> {
  let isBegun = false;
  for await (const entry of entries) {
    if (!isBegun) begin();
    isBegun = true;
    yield entry;
  }
  if (!isBegun) begin();
}

/** A place of the user, or address, and one of the address: one address with many accounts leaves places to others. */
function enter(caller: string, request: FastifyRequest): () => void {
  const { archives, archivesPerAddress } = request.server.shared;
  const leaveAddress = archivesPerAddress.enter(addressKey(addressOf(request)));
  try {
    const leave = archives.enter(caller);
    return () => {
      leave();
      leaveAddress();
    };
  } catch (error) {
    leaveAddress();
    throw error;
  }
}

interface Place {
  album: ArchiveAlbum;
  /** '' or with a slash at its end. */
  path: string;
  level: number;
}

async function* entriesOf(
  deps: Deps,
  rows: ArchiveRows,
  wanted: ArchiveRequest,
  { album, path, level }: Place,
): AsyncGenerator<ZipEntry | ZipFolder> {
  const names = createNames();
  const { seer } = await wanted.look();
  for await (const id of rows.photoIds(seer, album)) {
    const sight = await wanted.look();
    const find = () => rows.photo(sight.seer, album, id);
    const entry = await entryOf(deps, wanted.kind, sight.reader, names, find);
    if (!entry) continue;
    yield { ...entry, path: path + entry.path };
    if (wanted.kind === 'original') deps.db.counters.count('photoDownloads', id);
  }
  if (!wanted.isDeep || level === maxLevels) return;
  for await (const inner of rows.inner((await wanted.look()).seer, album)) {
    const folder = `${path}${names.claim(albumFolder(inner))}/`;
    yield { path: folder, modified: new Date(inner.update_time * 1000) };
    yield* entriesOf(deps, rows, wanted, { album: inner, path: folder, level: level + 1 });
  }
}

/** A photo's file, or undefined where `find` finds it no longer. */
export async function entryOf(
  deps: Deps,
  kind: ArchiveKind,
  reader: Viewer | undefined,
  names: Names,
  find: () => Promise<ArchivePhoto | undefined>,
): Promise<ZipEntry | undefined> {
  const photo = await find();
  if (!photo) return undefined;
  const { extension, size, open } = fileOf(deps, kind, reader, photo);
  const bytes = await open();
  if (!bytes) {
    // Deleted since the row was read, or lost: the second is no archive.
    if (!(await find())) return undefined;
    throw new Error(`an object of photo ${photo.id} is missing`);
  }
  const name = names.claim(photoStem(photo, extension, isOwner(reader, photo)), extension);
  return { path: name, modified: new Date(photo.taken_time * 1000), bytes, size };
}

interface FileOfPhoto {
  extension: string;
  /** undefined: not known without asking the storage. */
  size: number | undefined;
  open(): Promise<Readable | undefined>;
}

/** What the photo's download sends, or its preview. */
function fileOf(
  { storage }: Deps,
  kind: ArchiveKind,
  reader: Viewer | undefined,
  photo: ArchivePhoto,
): FileOfPhoto {
  if (kind === 'preview') {
    const extension = photo.preview_extension;
    const name = objectName(photo.key, 'preview', extension);
    return { extension, size: undefined, open: () => storage.open(name) };
  }
  const { name, extension, parts } = fileFor(reader, photo, photo);
  if (!parts) {
    const isEdit = photo.kind === 'edit';
    const size =
      name === objectName(photo.key, isEdit ? 'edit' : 'original', photo.extension) ? photo.size : undefined;
    return { extension, size, open: () => storage.open(name) };
  }
  return {
    extension,
    size: cleanSize(parts),
    open: () => readParts(storage, name, parts),
  };
}
