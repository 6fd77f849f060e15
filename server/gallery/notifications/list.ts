/** Lists the notifications of a user, the latest first, with the number of unread notifications. */

import type { Kysely, Selectable } from 'kysely';
import type { Deps } from '../../deps.ts';
import {
  type BindArgument,
  limitWithStablePlan,
  type PreparedRead,
  prepareRead,
} from '../../platform/db/prepared.ts';
import type { UserStatus, Visibility } from '../../platform/db/states.ts';
import type { NotificationsTable, Tables } from '../../platform/db/tables.ts';
import { createPagination, toRowWindow } from '../../platform/http/pagination.ts';
import { timeText } from '../../platform/http/time.ts';
import { createViewerPathSigner, thumbPath } from '../delivery/paths.ts';
import type { PathSigner } from '../delivery/signatures.ts';
import { type AuthorColumns, presentActor } from '../identity/present.ts';
import type { Viewer } from '../identity/viewer.ts';
import { currentVisibilityColumn, visibleToViewerCondition } from '../library/visibility-sql.ts';
import type { Notification, NotificationsQuery } from './schema.ts';

export function createListNotifications(deps: Deps) {
  const findAll = prepareNotifications(deps, false);
  const findUnread = prepareNotifications(deps, true);

  return async (viewer: Viewer, query: NotificationsQuery) => {
    const { n, unread } = await countNotifications(deps, viewer.id);
    const find = query.unread ? findUnread : findAll;
    const rows = await find({ viewer: viewer.id, admin: viewer.isAdmin ? 1 : 0, ...toRowWindow(query) });
    const signer = createViewerPathSigner(deps, viewer);
    return {
      list: rows.map((row) => presentNotification(row, signer)),
      pagination: createPagination(query, query.unread ? unread : n),
      unread,
    };
  };
}

/** Counts a user's notifications on a separate connection, because a user can have a hundred thousand. */
async function countNotifications({ db }: Deps, userId: number): Promise<{ n: number; unread: number }> {
  return db
    .slow()
    .selectNoFrom((is) => {
      const count = is
        .selectFrom('notifications')
        .select((own) => own.fn.countAll<number>().as('n'))
        .where('user_id', '=', userId);
      // The condition is a literal, because a parameter would keep the database from using the index of unread
      // notifications.
      return [
        count.$asScalar().$notNull().as('n'),
        count.where('is_read', '=', is.lit(0)).$asScalar().$notNull().as('unread'),
      ];
    })
    .executeTakeFirstOrThrow();
}

function presentNotification(row: NotificationRow, signer: PathSigner | undefined): Notification {
  const { photo_id, title, image_key, visibility_now, comment_id, content } = row;
  const isVisible = photo_id !== null && title !== null && image_key !== null && visibility_now !== null;
  return {
    id: row.id,
    type: row.type,
    actor: presentActor({ ...row, id: row.actor_id }, signer),
    photo: isVisible
      ? { id: photo_id, title, thumb: thumbPath({ image_key, visibility_now }, signer) }
      : null,
    comment: comment_id !== null && content !== null ? { id: comment_id, content } : null,
    count: row.count,
    is_read: row.is_read === 1,
    create_time: timeText(row.create_time),
  };
}

export interface NotificationRow
  extends AuthorColumns,
    Pick<Selectable<NotificationsTable>, 'id' | 'type' | 'count' | 'is_read' | 'create_time' | 'actor_id'> {
  status: UserStatus;
  /**
   * Id of the photo. The fields of the photo are null if the viewer cannot see the photo, or if the notification has no
   * photo.
   */
  photo_id: number | null;
  title: string | null;
  image_key: string | null;
  visibility_now: Visibility | null;
  comment_id: number | null;
  content: string | null;
}

/** Prepares the statement for one page of notifications, with the arguments viewer, admin, limit and offset. */
function prepareNotifications({ db }: Deps, isUnreadOnly: boolean): PreparedRead<NotificationRow> {
  return prepareRead(db, (query, arg) => notificationsPage(query, arg, isUnreadOnly));
}

function notificationsPage(query: Kysely<Tables>, arg: BindArgument, isUnreadOnly: boolean) {
  const viewer = { id: arg<number>('viewer'), isAdmin: arg<number>('admin') };
  // The index yields the ids of the page first, so that the rows of skipped notifications are not read.
  const page = query
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', viewer.id)
    // The condition is a literal, because a parameter would keep the database from using the index of unread
    // notifications.
    .$if(isUnreadOnly, (some) => some.where((is) => is('is_read', '=', is.lit(0))))
    .orderBy('create_time', 'desc')
    .orderBy('id', 'desc')
    .limit(limitWithStablePlan(arg<number>('limit')))
    .offset(arg<number>('offset'))
    .as('page');
  return query
    .selectFrom(page)
    .innerJoin('notifications as notification', 'notification.id', 'page.id')
    .innerJoin('users', 'users.id', 'notification.actor_id')
    .leftJoin('photos', (join) =>
      join.onRef('photos.id', '=', 'notification.photo_id').on(visibleToViewerCondition(viewer)),
    )
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
    .select(currentVisibilityColumn)
    .select(['comments.id as comment_id', 'comments.content'])
    .orderBy('notification.create_time', 'desc')
    .orderBy('notification.id', 'desc');
}
