/**
 * Lists photos by relevance: words as typed in the title, titles without accents, words as typed elsewhere, and the
 * rest. The newest photos come first among equals. This file computes the order, because the databases fold text
 * differently.
 */
import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { boundedReadOptions } from '../../../platform/db/dialect.ts';
import { foldSearchText, foldText } from '../../../platform/db/fold.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import type { RowWindow } from '../../../platform/http/pagination.ts';
import { accountEnabledCondition, notHiddenByAlbumCondition } from '../../library/visibility-sql.ts';
import type { PhotoItemRow } from '../present.ts';
import type { PhotoListFilter } from './filter.ts';
import { selectPhotoItemColumns } from './item.ts';
import { selectBranchPhotos, uniteBranches } from './query.ts';

export interface FoundPage {
  rows: PhotoItemRow[];
  /** Number of photos in the whole list. */
  total: number;
  /** Number of the page that contains the photo `around`, if the request named one. */
  page?: number;
}

export type ReadPhotoPage = (
  filter: PhotoListFilter,
  window: RowWindow,
  around?: number,
) => Promise<FoundPage>;

/** Maximum number of photos that are ranked: the newest. Older photos follow, newest first. */
const maxRanked = 10_000;
/** Number of photos that are ranked before other requests get their turn. */
const rankedAtOnce = 500;
/** Number of characters at the start of a description that are compared as typed. */
const comparedCharacters = 200;

interface RankedList {
  filter: PhotoListFilter;
  /** Ids of the first photos of the list, the best first. */
  ids: number[];
  total: number;
}

/** Reads a page in the order of relevance. `readNewest` reads pages of the same photos, newest first. */
export async function readRankedPage(
  deps: Deps,
  readNewest: ReadPhotoPage,
  { filter, window, around }: { filter: PhotoListFilter; window: RowWindow; around?: number | undefined },
): Promise<FoundPage> {
  const newest: PhotoListFilter = { ...filter, rankedWords: undefined, column: 'create_time', order: 'desc' };
  const list = await rankPhotos(deps, filter.rankedWords ?? [], newest);
  if (around === undefined)
    return {
      total: list.total,
      rows: await readRows(deps, readNewest, list, { order: filter.order, window }),
    };
  const place = await findPlace(readNewest, list, around, window);
  const page = Math.floor((filter.order === 'desc' ? place : list.total - 1 - place) / window.limit) + 1;
  const own = { limit: window.limit, offset: (page - 1) * window.limit };
  const rows = await readRows(deps, readNewest, list, { order: filter.order, window: own });
  if (!rows.some(({ id }) => id === around)) throw photoNotListedError();
  return { total: list.total, rows, page };
}

function photoNotListedError(): Error {
  return errors.photoNotFound({ message: 'The list does not contain this photo' });
}

/** Returns the place of a photo in the list, counted from the best. */
async function findPlace(
  readNewest: ReadPhotoPage,
  { filter, ids }: RankedList,
  photoId: number,
  { limit }: RowWindow,
): Promise<number> {
  const place = ids.indexOf(photoId);
  if (place >= 0) return place;
  const { rows, page = 1 } = await readNewest(filter, { limit, offset: 0 }, photoId);
  return (page - 1) * limit + rows.findIndex(({ id }) => id === photoId);
}

async function readRows(
  deps: Deps,
  readNewest: ReadPhotoPage,
  { filter, ids, total }: RankedList,
  { order, window: { limit, offset } }: { order: 'asc' | 'desc'; window: RowWindow },
): Promise<PhotoItemRow[]> {
  const end = Math.min(offset + limit, total);
  if (offset >= end) return [];
  const [from, to] = order === 'desc' ? [offset, end] : [total - end, total - offset];
  const best = await readItems(deps, filter, ids.slice(from, to));
  const others = { offset: Math.max(from, ids.length), limit: to - Math.max(from, ids.length) };
  const rest = others.limit > 0 ? (await readNewest(filter, others)).rows : [];
  const rows = [...best, ...rest];
  return order === 'desc' ? rows : rows.reverse();
}

interface RankedRow {
  id: number;
  title: string;
  tags: string;
  description: string;
  total: number;
}

async function rankPhotos({ db }: Deps, words: string[], filter: PhotoListFilter): Promise<RankedList> {
  const kysely = db.slow(boundedReadOptions);
  const rows = filter.branches.length === 0 ? [] : await findNewest(kysely, db, filter);
  const compared = words.map((word) => ({ typed: foldText(word), folded: foldSearchText(word) }));
  const ranked: { id: number; rank: number }[] = [];
  for (const [at, row] of rows.entries()) {
    if (at % rankedAtOnce === rankedAtOnce - 1) await setImmediate();
    ranked.push({ id: row.id, rank: compared.reduce((sum, word) => sum + rankWord(word, row), 0) });
  }
  // The sort is stable, so the newest of equal photos stays first.
  ranked.sort((one, other) => other.rank - one.rank);
  return { filter, ids: ranked.map(({ id }) => id), total: rows[0]?.total ?? 0 };
}

function rankWord(
  { typed, folded }: { typed: string; folded: string },
  { title, tags, description }: RankedRow,
): number {
  if (foldText(title).includes(typed)) return 3;
  if (foldSearchText(title).includes(folded)) return 2;
  return foldText(`${tags}\n${description}`).includes(typed) ? 1 : 0;
}

/** Reads the newest photos of a list with their texts, and the number of all photos of the list. */
function findNewest(kysely: Kysely<Tables>, db: Deps['db'], filter: PhotoListFilter): Promise<RankedRow[]> {
  return kysely
    .with(
      (cte) => cte('found').materialized(),
      () =>
        uniteBranches(
          filter.branches.map((branch) =>
            selectBranchPhotos(kysely, db, filter, branch).select(['photos.id', 'photos.create_time']),
          ),
        ),
    )
    .selectFrom((query) =>
      query
        .selectFrom('found')
        .select(['found.id', 'found.create_time'])
        .orderBy('found.create_time', 'desc')
        .orderBy('found.id', 'desc')
        .limit(maxRanked)
        .as('newest'),
    )
    .crossJoin('photos')
    .whereRef('photos.id', '=', 'newest.id')
    .select(['photos.id', 'photos.title', 'photos.tags'])
    .select(sql<string>`substr(photos.description, 1, ${sql.lit(comparedCharacters)})`.as('description'))
    .select((query) =>
      query
        .selectFrom('found')
        .select((count) => count.fn.countAll<number>().as('n'))
        .$asScalar()
        .$notNull()
        .as('total'),
    )
    .orderBy('newest.create_time', 'desc')
    .orderBy('newest.id', 'desc')
    .execute();
}

/** Reads photos in the given order. The rows are checked again, because photos can become private between the reads. */
async function readItems({ db }: Deps, filter: PhotoListFilter, ids: number[]): Promise<PhotoItemRow[]> {
  if (ids.length === 0) return [];
  const rows: PhotoItemRow[] = await db.kysely
    .selectFrom('photos')
    .innerJoin('users', 'users.id', 'photos.user_id')
    .innerJoin('photo_views', 'photo_views.photo_id', 'photos.id')
    .innerJoin('photo_counts', 'photo_counts.photo_id', 'photos.id')
    .where('photos.id', 'in', ids)
    .where((is) =>
      is.or(
        filter.branches.map(({ visibility, userId }) =>
          is.and({
            'photos.visibility': visibility,
            ...(userId !== undefined && { 'photos.user_id': userId }),
          }),
        ),
      ),
    )
    .select(selectPhotoItemColumns(filter.reactionViewerId))
    .$if(!filter.showsDisabled, (item) =>
      item.where(accountEnabledCondition).where(notHiddenByAlbumCondition(filter.viewerId)),
    )
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
