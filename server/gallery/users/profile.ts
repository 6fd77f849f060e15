/** Reads the profile of a user, with counts of the photos, albums and likes that the viewer can see. */

import type { Deps } from '../../deps.ts';
import { prepareRead } from '../../platform/db/prepared.ts';
import type { VisibilityOutsideTrash } from '../../platform/db/states.ts';
import type { UserRow } from '../../platform/db/tables.ts';
import { timeText } from '../../platform/http/time.ts';
import { createViewerPathSigner } from '../delivery/paths.ts';
import { presentUser } from '../identity/present.ts';
import type { Viewer } from '../identity/viewer.ts';
import { listVisibilitiesInAlbum, withoutAdminRights } from '../library/permissions.ts';

export function createReadProfile(deps: Deps) {
  const { db } = deps;
  const findTies = prepareRead<{ follower_id: number }>(db, (query, arg) =>
    query
      .selectFrom('follows')
      .select('follower_id')
      .where((is) =>
        is.or([
          is.and({ follower_id: arg<number>('viewer'), followee_id: arg<number>('user') }),
          is.and({ follower_id: arg<number>('user'), followee_id: arg<number>('viewer') }),
        ]),
      ),
  );

  /** Reads whether the viewer and the user follow each other. */
  async function readFollows(viewer: Viewer | undefined, user: UserRow) {
    const ties = viewer ? await findTies({ viewer: viewer.id, user: user.id }) : [];
    const isThere = (follower: number | undefined) =>
      ties.some(({ follower_id }) => follower_id === follower);
    return { is_following: isThere(viewer?.id), is_followed: isThere(user.id) };
  }

  return async (viewer: Viewer | undefined, user: UserRow) => {
    const visible = listVisibilitiesInAlbum(withoutAdminRights(viewer), { user_id: user.id });
    const [ties, stats] = await Promise.all([readFollows(viewer, user), readStats(db, user.id, visible)]);
    return {
      ...presentUser(user, createViewerPathSigner(deps, viewer)),
      bio: user.bio,
      create_time: timeText(user.create_time),
      ...ties,
      stats: { ...stats, followers: user.followers, following: user.following },
    };
  };
}

async function readStats(db: Deps['db'], userId: number, visible: VisibilityOutsideTrash[]) {
  const { photos, albums, likes } = await db
    .slow()
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('photo_totals')
        .select((is) => is.fn.sum<number | null>('n').as('n'))
        .where('user_id', '=', userId)
        .where('visibility', 'in', visible)
        .as('photos'),
      selectFrom('albums')
        .select((is) => is.fn.countAll<number>().as('n'))
        .where('user_id', '=', userId)
        .where('visibility', 'in', visible)
        .as('albums'),
      // The condition makes the database use an index that contains only photos with likes.
      selectFrom('photo_counts')
        .select((is) => is.fn.sum<number | null>('likes').as('n'))
        .where('user_id', '=', userId)
        .where('visibility', 'in', visible)
        .where((is) => is('likes', '>', is.lit(0)))
        .as('likes'),
    ])
    .executeTakeFirstOrThrow();
  return { photos: photos ?? 0, albums: albums ?? 0, likes: likes ?? 0 };
}
