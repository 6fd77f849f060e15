/** A user's notifications, the latest first, with the number of unread ones. */

import type { Deps } from '../../deps.ts';
import { prepare } from '../../platform/db/prepared.ts';
import { paginationOf, windowOf } from '../../platform/http/pagination.ts';
import { timeText } from '../../platform/http/time.ts';
import { presentActor } from '../accounts/present-user.ts';
import type { Viewer } from '../accounts/viewer.ts';
import { signerFor, thumbPath } from '../delivery/paths.ts';
import type { Signer } from '../delivery/signatures.ts';
import { type NotificationRow, prepareNotifications } from './rows.ts';
import type { Notification, NotificationsQuery } from './schema.ts';

export function createListNotifications(deps: Deps) {
  const findAll = prepareNotifications(deps, false);
  const findUnread = prepareNotifications(deps, true);
  const findTotals = prepare<{ n: number; unread: number }>(deps.db, (query, arg) =>
    query
      .selectFrom('notification_totals')
      .select(['n', 'unread'])
      .where('user_id', '=', arg<number>('viewer')),
  );

  return async (viewer: Viewer, query: NotificationsQuery) => {
    const [totals = { n: 0, unread: 0 }] = await findTotals({ viewer: viewer.id });
    const find = query.unread ? findUnread : findAll;
    const rows = await find({ viewer: viewer.id, admin: viewer.isAdmin ? 1 : 0, ...windowOf(query) });
    const signer = signerFor(deps, viewer);
    return {
      list: rows.map((row) => present(row, signer)),
      pagination: paginationOf(query, query.unread ? totals.unread : totals.n),
      unread: totals.unread,
    };
  };
}

function present(row: NotificationRow, signer: Signer | undefined): Notification {
  const {
    username,
    nickname,
    avatar,
    status,
    photo_id,
    title,
    image_key,
    visibility_now,
    comment_id,
    content,
  } = row;
  const isVisible = photo_id !== null && title !== null && image_key !== null && visibility_now !== null;
  return {
    id: row.id,
    type: row.type,
    actor: presentActor({ id: row.actor_id, username, nickname, avatar, status }),
    photo: isVisible
      ? { id: photo_id, title, thumb: thumbPath({ image_key, visibility_now }, signer) }
      : null,
    comment: comment_id !== null && content !== null ? { id: comment_id, content } : null,
    count: row.count,
    is_read: row.is_read === 1,
    create_time: timeText(row.create_time),
  };
}
