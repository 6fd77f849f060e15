/** JSON files of an export, except those of photos (photo.ts). */
import type { Deps } from '../../../deps.ts';
import { levelName, toPublicFlag } from '../../../gallery/library/visibility-rule.ts';
import type { UserRow } from '../../../platform/db/tables.ts';
import { type AlbumJson, type ExportJson, exportVersion, formatExportTime } from '../schema.ts';
import type { ExportedAlbum } from './rows.ts';

export function describeExportedAlbum(album: ExportedAlbum): AlbumJson {
  return {
    schema: 'lightwell-album',
    version: exportVersion,
    id: album.id,
    name: album.name,
    description: album.description,
    is_public: toPublicFlag(album.level),
    visibility: levelName(album.level),
    create_time: formatExportTime(album.create_time),
    update_time: formatExportTime(album.update_time),
    cover_sha256: album.cover_sha256,
    rule: album.rule,
  };
}

export function describeExport(
  { clock }: Deps,
  { username }: Pick<UserRow, 'username'>,
  { photos, albums, trashed }: { photos: number; albums: number; trashed: number },
  complete: boolean,
): ExportJson {
  return {
    schema: 'lightwell-export',
    version: exportVersion,
    username,
    export_time: formatExportTime(clock()),
    complete,
    albums,
    photos,
    trashed,
  };
}

export function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
