/**
 * Sends an album as a ZIP archive, with its photos as files and its inner albums as folders. The archive is created
 * while the server sends the response.
 */
import type { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { clientAddress, getIpAddressKey } from '../../../platform/connections/address.ts';
import { logLevelFor } from '../../../platform/db/dialect.ts';
import type { VisibilityOutsideTrash } from '../../../platform/db/states.ts';
import { ApiError } from '../../../platform/errors/catalogue.ts';
import { countCleanCopyBytes } from '../../../platform/imaging/clean/clean.ts';
import { objectName } from '../../../platform/storage/keys.ts';
import { createZip, type ZipEntry, type ZipFolder } from '../../../platform/zip/zip.ts';
import { streamCleanParts } from '../../delivery/clean-copy.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { isOwner, listVisibilitiesInAlbum } from '../../library/permissions.ts';
import { maxAlbumDepth } from '../../library/tree.ts';
import { chooseDownloadFile } from '../../photos/download.ts';
import type { ArchiveFileKind } from '../schema.ts';
import {
  type ArchiveNames,
  chooseAlbumFolderName,
  choosePhotoFileStem,
  createArchiveNames,
} from './names.ts';
import { type ArchiveAlbum, type ArchivePhoto, type ArchiveQueries, prepareArchiveQueries } from './rows.ts';

/**
 * Minimum bytes per second at which a client must read. A slower client would hold one of the few archive slots for
 * hours.
 */
const minReadRate = 16 * 1024;

/** Viewers on whose behalf an archive is created. */
interface ArchiveAudience {
  /** Viewer whose permissions decide which photos are in the archive. */
  seer: Viewer | undefined;
  /** Recipient of the archive. Only the owner of a photo receives the original file. */
  reader: Viewer | undefined;
}

interface ArchiveRequest {
  kind: ArchiveFileKind;
  album: ArchiveAlbum;
  /** User or IP address of the request. The number of parallel archives per caller is limited. */
  caller: string;
  /** Visibilities of the inner albums in the archive. Undefined means all inner albums that the viewer can see. */
  inner?: VisibilityOutsideTrash[];
  /**
   * Returns the viewers again before each photo, because permissions may change during the download. Throws if the
   * caller has lost access.
   */
  getAudience(): Promise<ArchiveAudience>;
  admit?: AuthorizeDownload;
  begin?: OnStart;
}

/**
 * Called when a download has a slot and before its first byte is sent. A download that is refused as busy therefore
 * consumes nothing, such as a download of a share.
 */
type AuthorizeDownload = () => Promise<void>;

/** Called when the first file of an archive is open and about to be sent to a client that is still connected. */
type OnStart = () => void;

/**
 * Returns a function that sends an album as a ZIP archive. The function throws tooManyRequests if the caller has
 * too many downloads, and busy if all clients together have too many.
 */
export function createSendAlbumArchive(deps: Deps) {
  const rows = prepareArchiveQueries(deps);

  return (request: FastifyRequest, reply: FastifyReply, wanted: ArchiveRequest): Promise<FastifyReply> => {
    const { album, caller, admit, begin } = wanted;
    return sendZipArchive(request, reply, { name: chooseAlbumFolderName(album), caller, admit, begin }, () =>
      albumEntries(deps, rows, wanted, { album, path: '', level: 1 }),
    );
  };
}

interface ZipToSend {
  /** Name of the ZIP file without extension. */
  name: string;
  caller: string;
  admit?: AuthorizeDownload | undefined;
  begin?: OnStart | undefined;
}

/**
 * Sends entries as a ZIP archive. Throws tooManyRequests if the caller has too many downloads, and busy if all
 * clients together have too many.
 */
export async function sendZipArchive(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, caller, admit, begin = () => {} }: ZipToSend,
  entries: () => AsyncGenerator<ZipEntry | ZipFolder>,
): Promise<FastifyReply> {
  const releaseSlot = request.method === 'HEAD' ? undefined : acquireArchiveSlots(caller, request);
  try {
    await admit?.();
  } catch (error) {
    releaseSlot?.();
    throw error;
  }
  reply.headers({
    'content-type': 'application/zip',
    'content-disposition': contentDisposition(`${name}.zip`),
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  });
  if (!releaseSlot) return reply.send();
  const zip = createZip(notifyBeforeFirst(entries(), () => reply.raw.destroyed || begin()));
  zip.once('close', releaseSlot).once('error', (error) => {
    // Do not log an API error such as a revoked share, because it is no fault of the server.
    if (!(error instanceof ApiError))
      request.log[logLevelFor(error)]({ err: error }, 'an archive ended early');
  });
  reply.raw.minReadRate = minReadRate;
  return reply.send(zip);
}

/**
 * Yields the entries of an archive unchanged, and calls `begin` before the first entry, or at the end if there are
 * none.
 */
async function* notifyBeforeFirst<Entry>(
  entries: AsyncIterable<Entry>,
  begin: () => void,
): AsyncGenerator<Entry> {
  let isBegun = false;
  for await (const entry of entries) {
    if (!isBegun) begin();
    isBegun = true;
    yield entry;
  }
  if (!isBegun) begin();
}

/**
 * Takes an archive slot of the user and one of the client's IP address, and returns a function that releases both. The
 * second limit stops one IP address with many accounts from occupying all slots.
 */
function acquireArchiveSlots(caller: string, request: FastifyRequest): () => void {
  const { archives, archivesPerAddress } = request.server.shared;
  const releaseAddressSlot = archivesPerAddress.acquire(getIpAddressKey(clientAddress(request)));
  try {
    const releaseSlot = archives.acquire(caller);
    return () => {
      releaseSlot();
      releaseAddressSlot();
    };
  } catch (error) {
    releaseAddressSlot();
    throw error;
  }
}

interface AlbumPosition {
  album: ArchiveAlbum;
  /** Path of the folder in the archive, '' or with a slash at its end. */
  path: string;
  level: number;
}

async function* albumEntries(
  deps: Deps,
  rows: ArchiveQueries,
  wanted: ArchiveRequest,
  { album, path, level }: AlbumPosition,
): AsyncGenerator<ZipEntry | ZipFolder> {
  const names = createArchiveNames();
  const { seer } = await wanted.getAudience();
  for await (const id of rows.photoIds(seer, album)) {
    const sight = await wanted.getAudience();
    if (level > 1 && !(await isShownInside(deps, wanted, album))) return;
    const find = () => rows.photo(sight.seer, album, id);
    const entry = await createPhotoZipEntry(deps, wanted.kind, sight.reader, names, find);
    if (!entry) continue;
    yield { ...entry, path: path + entry.path };
    if (wanted.kind === 'original') deps.db.counters.count('photoDownloads', id);
  }
  if (level === maxAlbumDepth) return;
  const shown = wanted.inner ?? listVisibilitiesInAlbum((await wanted.getAudience()).seer, album);
  for await (const inner of rows.subalbums(shown, album)) {
    const folder = `${path}${names.reserve(chooseAlbumFolderName(inner))}/`;
    yield { path: folder, modified: new Date(inner.update_time * 1000) };
    yield* albumEntries(deps, rows, wanted, { album: inner, path: folder, level: level + 1 });
  }
}

/** Returns whether a link still shows an inner album, which its owner may narrow while the archive is sent. */
async function isShownInside(
  { db }: Deps,
  { inner }: ArchiveRequest,
  { id }: ArchiveAlbum,
): Promise<boolean> {
  if (!inner) return true;
  const row = await db.kysely
    .selectFrom('albums')
    .select('id')
    .where('id', '=', id)
    .where('visibility', 'in', inner)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the archive entry of a photo, or undefined if `find` no longer finds the photo. */
export async function createPhotoZipEntry(
  deps: Deps,
  kind: ArchiveFileKind,
  reader: Viewer | undefined,
  names: ArchiveNames,
  find: () => Promise<ArchivePhoto | undefined>,
): Promise<ZipEntry | undefined> {
  const photo = await find();
  if (!photo) return undefined;
  const { extension, size, open } = chooseFile(deps, kind, reader, photo);
  const bytes = await open();
  if (!bytes) {
    // Skip a photo that was deleted after its row was read. If the object is lost, the archive fails.
    if (!(await find())) return undefined;
    throw new Error(`an object of photo ${photo.id} is missing`);
  }
  const name = names.reserve(choosePhotoFileStem(photo, extension, isOwner(reader, photo)), extension);
  return { path: name, modified: new Date(photo.taken_time * 1000), bytes, size };
}

interface FileOfPhoto {
  extension: string;
  /** Size of the file in bytes, or undefined if only the storage knows the size. */
  size: number | undefined;
  open(): Promise<Readable | undefined>;
}

/** Returns the file of a photo for the archive: the file that its download sends, or its preview. */
function chooseFile(
  { storage }: Deps,
  kind: ArchiveFileKind,
  reader: Viewer | undefined,
  photo: ArchivePhoto,
): FileOfPhoto {
  if (kind === 'preview') {
    const extension = photo.preview_extension;
    const name = objectName(photo.key, 'preview', extension);
    return { extension, size: undefined, open: () => storage.open(name) };
  }
  const { name, extension, parts } = chooseDownloadFile(reader, photo, photo);
  if (!parts) {
    const isEdit = photo.kind === 'edit';
    const size =
      name === objectName(photo.key, isEdit ? 'edit' : 'original', photo.extension) ? photo.size : undefined;
    return { extension, size, open: () => storage.open(name) };
  }
  return {
    extension,
    size: countCleanCopyBytes(parts),
    open: () => streamCleanParts(storage, name, parts),
  };
}
