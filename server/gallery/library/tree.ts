/**
 * Finds the albums above and below an album. A tree has at most eight layers, so a walk takes a few index look-ups.
 */
import { type Kysely, sql } from 'kysely';
import { type Level, Visibility, type VisibilityOutsideTrash } from '../../platform/db/states.ts';
import type { AlbumRow, Tables } from '../../platform/db/tables.ts';
import { getLevelForVisibility, narrowLevel } from './visibility-rule.ts';

/** Maximum depth of nested albums. An album at the top has depth 1. */
export const maxAlbumDepth = 8;

const namedAlbumColumns = [
  'albums.id',
  'albums.name',
  'albums.level',
  'albums.visibility',
  'albums.parent_id',
] as const;
const ownedAlbumColumns = [
  'albums.id',
  'albums.user_id',
  'albums.parent_id',
  'albums.level',
  'albums.visibility',
] as const;

/** Returns the album `parentId` and all albums above it, from the top down. */
export async function findParentAlbums(
  kysely: Kysely<Tables>,
  parentId: number | null,
): Promise<Pick<AlbumRow, 'id' | 'name' | 'level' | 'visibility'>[]> {
  if (parentId === null) return [];
  return kysely
    .withRecursive('parents', (query) =>
      query
        .selectFrom('albums')
        .select(namedAlbumColumns)
        .select(sql<number>`1`.as('depth'))
        .where('id', '=', parentId)
        .unionAll((all) =>
          all
            .selectFrom('albums')
            .innerJoin('parents', 'parents.parent_id', 'albums.id')
            .select(namedAlbumColumns)
            .select(sql<number>`parents.depth + 1`.as('depth')),
        ),
    )
    .selectFrom('parents')
    .select(['id', 'name', 'level', 'visibility'])
    .orderBy('depth', 'desc')
    .execute();
}

export interface BranchAlbum extends Pick<AlbumRow, 'id' | 'user_id' | 'parent_id' | 'level' | 'visibility'> {
  /** Depth of the album within its branch. The first album of the branch has depth 1. */
  depth: number;
}

/** Returns an album and all albums below it, each after its parent. */
export function findAlbumBranch(kysely: Kysely<Tables>, id: number): Promise<BranchAlbum[]> {
  return kysely
    .withRecursive('branch', (query) =>
      query
        .selectFrom('albums')
        .select(ownedAlbumColumns)
        .select(sql<number>`1`.as('depth'))
        .where('id', '=', id)
        .unionAll((all) =>
          all
            .selectFrom('albums')
            .innerJoin('branch', 'branch.id', 'albums.parent_id')
            .select(ownedAlbumColumns)
            .select(sql<number>`branch.depth + 1`.as('depth')),
        ),
    )
    .selectFrom('branch')
    .select(['id', 'user_id', 'parent_id', 'level', 'visibility', 'depth'])
    .orderBy('depth')
    .orderBy('id')
    .execute();
}

/**
 * Returns the level of a photo or an album after its move from the album `from` to the album `to`. An item that leaves
 * an album keeps the level that counted there.
 */
export async function findLevelAfterMove(
  kysely: Kysely<Tables>,
  level: Level,
  from: number | null,
  to: number | null,
): Promise<Level> {
  if (from === null || from === to) return level;
  return getLevelForVisibility(narrowLevel(level, await findWidestInAlbum(kysely, from)));
}

/**
 * Returns the widest visibility that an album allows its photos and inner albums, from its own level and those of the
 * albums above. A disabled account does not matter here, because it does not narrow levels permanently.
 */
export async function findWidestInAlbum(kysely: Kysely<Tables>, id: number): Promise<VisibilityOutsideTrash> {
  const albums = await findParentAlbums(kysely, id);
  return albums.reduce<VisibilityOutsideTrash>(
    (widest, { level }) => narrowLevel(level, widest),
    Visibility.public,
  );
}
