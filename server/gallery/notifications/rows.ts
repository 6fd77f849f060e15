/** A page of a user's notifications, with what the user may still see of photos and comments. */

import type { Kysely } from 'kysely';
import type { Deps } from '../../deps.ts';
import { type Arg, type Prepared, plannedOnce, preparePage } from '../../platform/db/prepared.ts';
import type { UserStatus, Visibility } from '../../platform/db/states.ts';
import type { NotificationType, Tables } from '../../platform/db/tables.ts';
import { visibilityNow, visibleTo } from '../library/visible.ts';

export interface NotificationRow {
  id: number;
  type: NotificationType;
  count: number;
  is_read: number;
  create_time: number;
  actor_id: number;
  status: UserStatus;
  username: string;
  nickname: string;
  avatar: string;
  /** All null where the reader may not see the photo, or there is none. */
  photo_id: number | null;
  title: string | null;
  image_key: string | null;
  visibility_now: Visibility | null;
  comment_id: number | null;
  content: string | null;
}

/** Arguments: viewer, admin, limit, offset. */
export function prepareNotifications({ db }: Deps, isUnreadOnly: boolean): Prepared<NotificationRow> {
  return preparePage(db, (query, arg) => pageOf(query, arg, isUnreadOnly));
}

function pageOf(query: Kysely<Tables>, arg: Arg, isUnreadOnly: boolean) {
  const viewer = { id: arg<number>('viewer'), isAdmin: arg<number>('admin') };
  // Ids from the index first: what is skipped is not read.
  const page = query
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', viewer.id)
    // Written out, or the index of unread ones could not be used.
    .$if(isUnreadOnly, (some) => some.where((is) => is('is_read', '=', is.lit(0))))
    .orderBy('create_time', 'desc')
    .orderBy('id', 'desc')
    .limit(plannedOnce(arg<number>('limit')))
    .offset(arg<number>('offset'))
    .as('page');
  return query
    .selectFrom(page)
    .innerJoin('notifications as notification', 'notification.id', 'page.id')
    .innerJoin('users', 'users.id', 'notification.actor_id')
    .leftJoin('photos', (join) => join.onRef('photos.id', '=', 'notification.photo_id').on(visibleTo(viewer)))
    .leftJoin('comments', (join) =>
      join.onRef('comments.id', '=', 'notification.comment_id').onRef('comments.photo_id', '=', 'photos.id'),
    )
    .select([
      'notification.id',
      'notification.type',
      'notification.count',
      'notification.is_read',
      'notification.create_time',
      'notification.actor_id',
    ])
    .select(['users.status', 'users.username', 'users.nickname', 'users.avatar'])
    .select(['photos.id as photo_id', 'photos.title', 'photos.image_key'])
    .select(visibilityNow)
    .select(['comments.id as comment_id', 'comments.content'])
    .orderBy('notification.create_time', 'desc')
    .orderBy('notification.id', 'desc');
}
