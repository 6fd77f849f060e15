/** JSON files of an export, except those of photos (photo.ts). */
import type { Deps } from '../../../deps.ts';
import { levelName, publicFlag } from '../../../gallery/library/visibility-rule.ts';
import type { UserRow } from '../../../platform/db/tables.ts';
import { type AlbumFile, type ExportFile, exportTime, exportVersion } from '../schema.ts';
import type { ExportedAlbum } from './rows.ts';

export function describeAlbum(album: ExportedAlbum): AlbumFile {
  return {
    schema: 'lightwell-album',
    version: exportVersion,
    id: album.id,
    name: album.name,
    description: album.description,
    is_public: publicFlag(album.level),
    visibility: levelName(album.level),
    create_time: exportTime(album.create_time),
    update_time: exportTime(album.update_time),
    cover_sha256: album.cover_sha256,
    rule: album.rule,
  };
}

export function describeExport(
  { clock }: Deps,
  { username }: Pick<UserRow, 'username'>,
  { photos, albums, trashed }: { photos: number; albums: number; trashed: number },
  complete: boolean,
): ExportFile {
  return {
    schema: 'lightwell-export',
    version: exportVersion,
    username,
    export_time: exportTime(clock()),
    complete,
    albums,
    photos,
    trashed,
  };
}

export function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
