/**
 * The public photos of the users one follows, newest first. What a page costs depends on how many one follows,
 * never on how many photos there are.
 */

import type { Deps } from '../../../deps.ts';
import { Visibility } from '../../../platform/db/states.ts';
import { type PageRequest, paginationOf, type Window, windowOf } from '../../../platform/http/pagination.ts';
import type { Viewer } from '../../accounts/viewer.ts';
import { signerFor } from '../../delivery/paths.ts';
import { everybody } from '../../library/counts.ts';
import { type PhotoItemRow, presentItem } from '../../photos/present.ts';
import { type FeedWindow, fetchFeed, walkFeed, walkFeedFar } from './rows.ts';

/**
 * Photos that a page looks at, at least and at most, before it asks each followee: a third of a millisecond a thousand.
 */
const leastWalked = 200;
const maxWalked = 20_000;
/** From here on a page is far: asking each followee for so many would cost more than the way through everybody's. */
const farFrom = 1000;
/** Followees' photos do not come evenly: so many times further than one would expect. */
const margin = 4;

interface Totals {
  /** Public photos of the users that the viewer follows. */
  own: number;
  /** Everybody's public photos. */
  all: number;
}

export async function readFeed(deps: Deps, viewer: Viewer, query: PageRequest) {
  const totals = await readTotals(deps, viewer.id);
  const window = windowOf(query);
  const rows = window.offset < totals.own ? await readRows(deps, viewer.id, window, totals) : [];
  const signer = signerFor(deps, viewer);
  return { list: rows.map((row) => presentItem(row, signer)), pagination: paginationOf(query, totals.own) };
}

/** The kept totals of the users that the viewer follows, added up. */
async function readTotals({ db }: Deps, userId: number): Promise<Totals> {
  const { own, all } = await db.slow
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('follows')
        // A cross join starts at the left on SQLite: at the followed users, and not at everybody's totals.
        .crossJoin('photo_totals')
        .whereRef('photo_totals.user_id', '=', 'follows.followee_id')
        .select((is) => is.fn.sum<number | null>('photo_totals.n').as('n'))
        .where('follows.follower_id', '=', userId)
        .where('photo_totals.visibility', '=', Visibility.public)
        .as('own'),
      selectFrom('photo_totals')
        .select('n')
        .where('user_id', '=', everybody)
        .where('visibility', '=', Visibility.public)
        .as('all'),
    ])
    .executeTakeFirstOrThrow();
  return { own: own ?? 0, all: all ?? 0 };
}

/**
 * Where followees own much of the newest, their photos are met soon on the way through everybody's; that way is
 * cut off, for they may all be old. Then each followee is asked for their newest. Far pages take the way that
 * looks at fewer photos, from the nearer end.
 */
async function readRows(
  { db }: Deps,
  userId: number,
  asked: Window,
  { own, all }: Totals,
): Promise<PhotoItemRow[]> {
  const window = fromNearerEnd(asked, own);
  const last = window.offset + window.limit;
  const expected = (last * all) / own;
  if (window.order === 'desc' && expected * margin <= maxWalked) {
    const max = Math.max(leastWalked, Math.ceil(expected * margin));
    const rows = await walkFeed(db.slow, userId, window, max);
    if (rows.length === window.limit) return rows;
  }
  const isFar = last > farFrom;
  if (isFar && expected < own) return walkFeedFar(db.slow, userId, window);
  return fetchFeed(db.slow, userId, window);
}

/** The last page's limit is what is left for it. */
function fromNearerEnd({ offset, limit }: Window, own: number): FeedWindow {
  const end = Math.min(offset + limit, own);
  if (offset <= own / 2) return { offset, limit: end - offset, order: 'desc' };
  return { offset: own - end, limit: end - offset, order: 'asc' };
}
