/** Like and favorite: toggles whose rows are the truth and whose counters follow in the same transaction. */
import { sql } from 'kysely';
import type { Viewer } from '../auth/viewer.ts';
import type { Deps } from '../deps.ts';
import { errors } from '../http/errors.ts';
import { gather, takeBack } from '../notifications/gather.ts';
import { emit } from '../webhooks/emit.ts';
import { canSee } from './permissions.ts';
import { lockPhoto } from './visibility.ts';

export type Reaction = 'likes' | 'favorites';

export interface ReactionState {
  isSet: boolean;
  count: number;
}

/** Sets what is not set and the other way round. Throws 20003 or 20004. */
export async function toggleReaction(
  deps: Deps,
  viewer: Viewer,
  photoId: number,
  reaction: Reaction,
): Promise<ReactionState> {
  const { db, clock } = deps;
  return db.kysely.transaction().execute(async (transaction) => {
    // The photo's row is the lock: toggles of one photo happen one after the other.
    const photo = await lockPhoto(transaction, photoId);
    if (!photo || photo.visibility === 0) throw errors.photoNotFound();
    if (!canSee(viewer, photo)) throw errors.photoForbidden();

    const removed = await transaction
      .deleteFrom(reaction)
      .where('photo_id', '=', photoId)
      .where('user_id', '=', viewer.id)
      .returning('notice')
      .executeTakeFirst();
    const isSet = !removed;
    if (removed) {
      await takeBack(transaction, photo, reaction, removed.notice);
    } else {
      const now = clock();
      const notice = await gather(transaction, photo, reaction, viewer.id, now);
      await transaction
        .insertInto(reaction)
        .values({ photo_id: photoId, user_id: viewer.id, create_time: now, notice })
        .execute();
    }
    const { count } = await transaction
      .updateTable('photos')
      .set({ [reaction]: sql<number>`${sql.ref(reaction)} + ${isSet ? 1 : -1}` })
      .where('id', '=', photoId)
      .returning(`${reaction} as count`)
      .executeTakeFirstOrThrow();
    if (isSet && reaction === 'likes') {
      await emit(deps, transaction, photo.user_id, { type: 'like.created', actorId: viewer.id, photo });
    }
    return { isSet, count };
  });
}
