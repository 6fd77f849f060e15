/** Exports a photo: its original, a JSON file with all its data, and an XMP file for other programs. */
import { rm } from 'node:fs/promises';
import type { Deps } from '../../../deps.ts';
import { levelName, toPublicFlag } from '../../../gallery/library/visibility-rule.ts';
import { parseFields } from '../../../gallery/photos/metadata/fields.ts';
import { getPhotoMetadata, type PhotoMetadata } from '../../../gallery/photos/metadata/store.ts';
import { UserStatus } from '../../../platform/db/states.ts';
import { objectName } from '../../../platform/storage/keys.ts';
import { describeUnreadableObject } from '../../maintenance/unreadable.ts';
import { describeFields } from '../photo-fields.ts';
import { exportVersion, formatExportTime, type PhotoJson } from '../schema.ts';
import { isWritten, writeBytes, writeJson, writeText } from './files.ts';
import { type ExportedPhoto, findAlbumReferences, findEditRows, findPhotoComments } from './rows.ts';
import { buildXmpSidecar } from './xmp.ts';

/** Ending of the XMP file, after the name of the photo's file. */
export const xmpEnding = '.xmp';

/**
 * Writes the files of a photo to `path`, `<path>.json` and `<path>.xmp`. Returns the fault of the original, or '' if the original is
 * correct.
 */
export async function exportPhoto(deps: Deps, photo: ExportedPhoto, path: string): Promise<string> {
  const reason = await exportOriginal(deps, photo, path);
  const { json, xmp } = await describeExportedPhoto(deps, photo);
  await writeJson(`${path}.json`, json);
  // An earlier export into the same folder may have written an XMP file.
  if (xmp === '') await rm(`${path}${xmpEnding}`, { force: true });
  else await writeText(`${path}${xmpEnding}`, xmp);
  return reason;
}

async function exportOriginal(deps: Deps, photo: ExportedPhoto, path: string): Promise<string> {
  const name = objectName(photo.original_key, 'original', photo.extension);
  const stored = await deps.storage.stat(name);
  if (!stored) return 'the original is missing';
  if (await isWritten(path, stored.size, photo.sha256)) return '';
  const bytes = await deps.storage.open(name);
  if (!bytes) return 'the original is missing';
  let readError: unknown;
  bytes.once('error', (error) => {
    readError = error;
  });
  try {
    const written = await writeBytes(path, bytes, photo.taken_time);
    return written === photo.sha256 ? '' : 'the original is damaged: the SHA-256 differs';
  } catch (error) {
    // An error of writing, like a full disk, is not the fault of the original.
    if (error !== readError) throw error;
    return describeUnreadableObject(deps, error);
  }
}

export interface DescribedPhoto {
  json: PhotoJson;
  /** Content of the XMP file, or '' if there is nothing to say. */
  xmp: string;
}

export async function describeExportedPhoto(deps: Deps, photo: ExportedPhoto): Promise<DescribedPhoto> {
  const metadata = await getPhotoMetadata(deps.db.slow(), photo.id);
  return {
    json: await describeInJson(deps, photo, metadata),
    xmp: buildXmpSidecar(parseFields(photo), metadata),
  };
}

async function describeInJson(deps: Deps, photo: ExportedPhoto, metadata: PhotoMetadata): Promise<PhotoJson> {
  const edits = await findEditRows(deps, photo.id);
  const references = await findAlbumReferences(deps, photo);
  return {
    schema: 'lightwell-photo',
    version: exportVersion,
    sha256: photo.sha256,
    file_name: photo.file_name,
    title: photo.title,
    description: photo.description,
    tags: JSON.parse(photo.tags) as string[],
    is_public: toPublicFlag(photo.level),
    visibility: levelName(photo.level),
    create_time: formatExportTime(photo.create_time),
    update_time: formatExportTime(photo.update_time),
    ...describeFields(photo, metadata),
    position: photo.position ?? 0,
    ...(references.length > 0 && { references }),
    ...(photo.delete_time !== null && { delete_time: formatExportTime(photo.delete_time) }),
    edits: edits.map(({ action, params, create_time }) => ({
      action,
      params: JSON.parse(params) as unknown,
      create_time: formatExportTime(create_time),
    })),
    views: photo.views,
    downloads: photo.downloads,
    likes: photo.likes,
    favorites: photo.favorites,
    is_liked: photo.liked === null ? 0 : 1,
    is_favorited: photo.favorited === null ? 0 : 1,
    comments: photo.comments > 0 ? await describeComments(deps, photo.id) : [],
  };
}

async function describeComments(deps: Deps, photoId: number): Promise<PhotoJson['comments']> {
  const rows = await findPhotoComments(deps, photoId);
  const byParent = Map.groupBy(rows, ({ parent_id }) => parent_id);
  // Comments of a disabled account stay without the username, because the account is hidden from others.
  const presentComment = ({ username, status, content, create_time, likes }: (typeof rows)[number]) => ({
    username: status === UserStatus.enabled ? username : '',
    content,
    create_time: formatExportTime(create_time),
    likes,
  });
  return (byParent.get(null) ?? []).map((comment) => ({
    ...presentComment(comment),
    replies: (byParent.get(comment.id) ?? []).map(presentComment),
  }));
}
