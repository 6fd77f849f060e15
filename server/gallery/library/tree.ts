/**
 * Finds the albums above and below an album. A tree has at most eight levels, so a walk takes a few index look-ups.
 */
import { type Kysely, sql } from 'kysely';
import type { AlbumRow, Tables } from '../../platform/db/tables.ts';

/** Maximum depth of nested albums. An album at the top is on the first level. */
export const maxLevels = 8;

const namedAlbumColumns = [
  'albums.id',
  'albums.name',
  'albums.is_public',
  'albums.visibility',
  'albums.parent_id',
] as const;
const ownedAlbumColumns = [
  'albums.id',
  'albums.user_id',
  'albums.parent_id',
  'albums.is_public',
  'albums.visibility',
] as const;

/** Returns the album `parentId` and all albums above it, from the top down. */
export async function findParents(
  kysely: Kysely<Tables>,
  parentId: number | null,
): Promise<Pick<AlbumRow, 'id' | 'name' | 'is_public' | 'visibility'>[]> {
  if (parentId === null) return [];
  return kysely
    .withRecursive('parents', (query) =>
      query
        .selectFrom('albums')
        .select(namedAlbumColumns)
        .select(sql<number>`1`.as('level'))
        .where('id', '=', parentId)
        .unionAll((all) =>
          all
            .selectFrom('albums')
            .innerJoin('parents', 'parents.parent_id', 'albums.id')
            .select(namedAlbumColumns)
            .select(sql<number>`parents.level + 1`.as('level')),
        ),
    )
    .selectFrom('parents')
    .select(['id', 'name', 'is_public', 'visibility'])
    .orderBy('level', 'desc')
    .execute();
}

export interface Branch extends Pick<AlbumRow, 'id' | 'user_id' | 'parent_id' | 'is_public' | 'visibility'> {
  /** Level of the album within its branch. The first album of the branch has level 1. */
  level: number;
}

/** Returns an album and all albums below it, each after its parent. */
export function findBranch(kysely: Kysely<Tables>, id: number): Promise<Branch[]> {
  return kysely
    .withRecursive('branch', (query) =>
      query
        .selectFrom('albums')
        .select(ownedAlbumColumns)
        .select(sql<number>`1`.as('level'))
        .where('id', '=', id)
        .unionAll((all) =>
          all
            .selectFrom('albums')
            .innerJoin('branch', 'branch.id', 'albums.parent_id')
            .select(ownedAlbumColumns)
            .select(sql<number>`branch.level + 1`.as('level')),
        ),
    )
    .selectFrom('branch')
    .select(['id', 'user_id', 'parent_id', 'is_public', 'visibility', 'level'])
    .orderBy('level')
    .orderBy('id')
    .execute();
}
