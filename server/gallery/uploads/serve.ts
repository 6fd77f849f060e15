/** One request of a resumable upload: what the protocol decides about it, done with our storage and our rows. */
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { callerOf } from '../../platform/connections/address.ts';
import type { UploadRow } from '../../platform/db/tables-uploads.ts';
import { errors, type FieldErrors } from '../../platform/errors/catalogue.ts';
import { newKey } from '../../platform/storage/keys.ts';
import type { Viewer } from '../accounts/viewer.ts';
import { getAlbumFor } from '../library/albums.ts';
import { createReadDetail } from '../photos/detail.ts';
import { findSameOriginal, type SamePhoto } from '../photos/upload/same-original.ts';
import { type Body, bodyOf } from './body.ts';
import { parseChecksum } from './checksum.ts';
import { finishUpload } from './finish.ts';
import { checkMetadata, encodingProblems, type GivenMetadata } from './metadata.ts';
import type { Collector } from './pieces.ts';
import { receive } from './receive.ts';
import { createUpload, endUpload, getUpload } from './store.ts';
import type { Turn, Turns } from './turns.ts';
import type { NewUpload, Tus, TusAnswer, TusStore } from './tus.ts';

export interface UploadRequest extends FastifyRequest {
  viewer: Viewer;
}

type FinishedPhoto = Awaited<ReturnType<typeof finishUpload>>;

export interface Served extends TusAnswer {
  /** What the file became, where the request brought the last of it. */
  photo: FinishedPhoto | undefined;
}

export function createServe(deps: Deps, tus: Tus, turns: Turns) {
  const readDetail = createReadDetail(deps);

  /** Throws the errors of an upload by form, and those of the protocol. `id`: of the upload, which may be new. */
  return async (request: UploadRequest, id = newKey()): Promise<Served> => {
    const { viewer, method, headers } = request;
    const checksum = parseChecksum(headers['upload-checksum']);
    const leave = await enterQueue(request);
    let body: Body | undefined;
    let turn: Turn | undefined;
    let rest: Collector | undefined;
    let upload: UploadRow | undefined;
    let photo: FinishedPhoto | undefined;
    let isCreated = false;

    const store: TusStore = {
      check: (given) => checkNew(deps, viewer, given, encodingProblems(headers['upload-metadata'])),
      async create({ size, metadata }) {
        await createUpload(deps, { id, user_id: viewer.id, size, metadata: JSON.stringify(metadata) });
        isCreated = true;
      },
      async lock() {
        if (method === 'POST') return;
        // Whose upload it is, before anything of it is disturbed.
        await getUpload(deps, viewer.id, id);
        if (method === 'HEAD') await turns.stopOther(id).catch(() => {});
        else turn = await turns.take(id, () => body?.stop());
      },
      async find() {
        upload = await getUpload(deps, viewer.id, id);
        const metadata = JSON.parse(upload.metadata) as GivenMetadata;
        return { size: upload.size, offset: upload.received, metadata, createTime: upload.create_time };
      },
      async write() {
        upload ??= await getUpload(deps, viewer.id, id);
        // The answer to the last bytes was lost, and is asked for again.
        if (upload.photo_id !== null) return upload.size;
        body = bodyOf(request.raw);
        const received = await receive(deps, upload, {
          body,
          checksum,
          confirm: () => request.confirmViewer(),
          onBytes: () => request.keepInUse(),
        });
        rest = received.rest;
        upload = { ...upload, received: received.received };
        return received.offset;
      },
      async finish() {
        if (turn) turn.isFinishing = true;
        if (upload?.photo_id) photo = await readDetail(viewer, upload.photo_id, false);
        else photo = await finishUpload(deps, request, { upload: upload!, rest: rest!, leave });
      },
      remove: () => endUpload(deps, id),
    };

    try {
      return { ...(await tus({ method, id, headers }, store)), photo };
    } catch (error) {
      // Its URL was never told.
      if (isCreated) await endUpload(deps, id);
      throw error;
    } finally {
      leave();
      await rest?.discard();
      turn?.end();
    }
  };
}

/** A place among those that send files; what it returns gives it back, and may be called again. */
async function enterQueue(request: UploadRequest): Promise<() => void> {
  const isEmpty = request.headers['content-type'] === undefined;
  const leave = isEmpty
    ? undefined
    : await request.server.shared.uploads.enter(callerOf(request.viewer, request));
  let isInside = true;
  return () => {
    if (isInside) leave?.();
    isInside = false;
  };
}

/** Throws what an upload by form would, and photoExists, before any byte is sent. */
async function checkNew(
  deps: Deps,
  viewer: Viewer,
  { size, metadata }: NewUpload,
  problems: FieldErrors,
): Promise<void> {
  const { sha256, album_id } = checkMetadata(metadata, problems);
  if (size === 0) throw errors.unsupportedFormat({ message: 'The file is empty' });
  if (album_id) await getAlbumFor(deps.db.kysely, viewer.id, album_id);
  const same = sha256 && (await findSameOriginal(deps, viewer.id, sha256.toLowerCase()));
  if (same) throw errors.photoExists({ data: { id: same.id, album: await albumOf(deps, same) } });
}

/** The album of a photo that is there already; a photo is in one at most. */
async function albumOf({ db }: Deps, { album_id }: SamePhoto) {
  if (album_id === null) return null;
  const found = await db.kysely
    .selectFrom('albums')
    .select(['id', 'name'])
    .where('id', '=', album_id)
    .executeTakeFirst();
  return found ?? null;
}
