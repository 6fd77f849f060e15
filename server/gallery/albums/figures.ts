/**
 * Counts the photos of smart albums and finds the newest photo of each, when a list of albums is requested. A query
 * with a time limit counts a few albums at once. After a timeout, the figures of these albums and of the remaining
 * ones stay unknown, so slow rules cannot block a list.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { boundedReadOptions, QueryTooSlow } from '../../platform/db/dialect.ts';
import type { Viewer } from '../identity/viewer.ts';
import { isSmartAlbum } from '../library/albums.ts';
import {
  type AlbumToList,
  createAlbumFilter,
  type PhotoListBranch,
  type PhotoListFilter,
} from '../photos/list/filter.ts';
import { applyPhotoListFilter, type PhotoPageStrategy } from '../photos/list/query.ts';
import { maxCountedSmartAlbums } from './schema.ts';

/**
 * Number of rules that one query counts. PostgreSQL plans about two conditions per millisecond, so ten of the
 * longest rules take less than half a second.
 */
const batchSize = 10;

export interface SmartAlbumFigures {
  count: number;
  /** Ids of the smart album's newest photo of each visibility that the viewer can see. */
  newest: number[];
}

/** Photos of one smart album with one visibility, which a query counts together. */
interface AlbumPart {
  id: number;
  filter: PhotoListFilter;
  branch: PhotoListBranch;
}

interface CountRow {
  place: number;
  n: number;
  latest: number | null;
}

/**
 * Returns the photo count and newest photos of smart albums, by album id. Albums whose figures are unknown are
 * missing from the map.
 */
export async function findSmartAlbumFigures(
  deps: Pick<Deps, 'db'>,
  viewer: Viewer | undefined,
  albums: AlbumToList[],
): Promise<Map<number, SmartAlbumFigures>> {
  const smart = albums.filter(isSmartAlbum).slice(0, maxCountedSmartAlbums);
  const figures = new Map<number, SmartAlbumFigures>();
  const end = performance.now() + boundedReadOptions.limitMs;
  try {
    for (let at = 0; at < smart.length && performance.now() < end; at += batchSize) {
      const some = await findFiguresOfBatch(deps, viewer, smart.slice(at, at + batchSize));
      for (const [id, found] of some) figures.set(id, found);
    }
  } catch (error) {
    if (!(error instanceof QueryTooSlow)) throw error;
  }
  return figures;
}

async function findFiguresOfBatch(
  deps: Pick<Deps, 'db'>,
  viewer: Viewer | undefined,
  albums: AlbumToList[],
): Promise<Map<number, SmartAlbumFigures>> {
  const filters = albums.map((album) => createAlbumFilter(deps, viewer, album));
  const parts = filters.flatMap((filter, place): AlbumPart[] =>
    filter.branches.map((branch) => ({ id: albums[place]!.id, filter, branch })),
  );
  const counts = await countParts(deps, parts);
  return combineFigures(parts, counts, await findNewest(deps, parts, counts));
}

function combineFigures(
  parts: AlbumPart[],
  counts: CountRow[],
  newest: Map<number, number>,
): Map<number, SmartAlbumFigures> {
  const figures = new Map<number, SmartAlbumFigures>();
  for (const { place, n } of counts) {
    const { id } = parts[place]!;
    const before = figures.get(id) ?? { count: 0, newest: [] };
    const found = newest.get(place);
    figures.set(id, {
      count: before.count + n,
      newest: found === undefined ? before.newest : [...before.newest, found],
    });
  }
  return figures;
}

async function countParts({ db }: Pick<Deps, 'db'>, parts: AlbumPart[]): Promise<CountRow[]> {
  const counted = parts.map((part, place) => {
    const photos = photosQuery(db, part, 'count').select((of) => [
      of.fn.countAll<number>().as('n'),
      of.fn.max('photos.create_time').as('latest'),
    ]);
    return sql`SELECT ${sql.lit(place)} AS place, n, latest FROM ${photos.as('counted')}`;
  });
  const { rows } = await unionSelects<CountRow>(counted).execute(db.slow(boundedReadOptions));
  return rows;
}

/**
 * Returns the newest photo of each part, by the index of the part. The query reads only the few photos with the
 * latest creation time.
 */
async function findNewest(
  { db }: Pick<Deps, 'db'>,
  parts: AlbumPart[],
  counts: CountRow[],
): Promise<Map<number, number>> {
  const found = counts.flatMap(({ place, latest }) => {
    if (latest === null) return [];
    const photos = photosQuery(db, parts[place]!, 'walk')
      .where('photos.create_time', '=', latest)
      .select((of) => of.fn.max('photos.id').as('id'));
    return [sql`SELECT ${sql.lit(place)} AS place, id FROM ${photos.as('newest')}`];
  });
  if (found.length === 0) return new Map();
  const { rows } = await unionSelects<{ place: number; id: number | null }>(found).execute(
    db.slow(boundedReadOptions),
  );
  return new Map(rows.flatMap(({ place, id }) => (id === null ? [] : [[place, id]])));
}

function photosQuery(db: Deps['db'], { filter, branch }: AlbumPart, strategy: PhotoPageStrategy) {
  return applyPhotoListFilter(db.slow(boundedReadOptions).selectFrom('photos'), db, filter, branch, strategy);
}

function unionSelects<Row>(selects: RawBuilder<unknown>[]): RawBuilder<Row> {
  return sql<Row>`${sql.join(selects, sql` UNION ALL `)}`;
}
