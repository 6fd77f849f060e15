/** The rules of notifications: one for each event, with all likes of a photo in one. */
import type { Name, Notice, Rows } from './rows.ts';
import { isEnabled, seesPhoto } from './rules.ts';

/** Adds a notification, except for a person's own act. */
export function notify(rows: Rows, notice: Omit<Notice, 'isRead'>): void {
  if (notice.to !== notice.actor) rows.notices.push({ ...notice, isRead: false });
}

/** Removes notifications as if they had never existed. */
export function retract(rows: Rows, isIt: (notice: Notice) => boolean): void {
  rows.notices = rows.notices.filter((notice) => !isIt(notice));
}

/**
 * Returns a viewer's notifications, unordered. A notification about a photo that the viewer cannot see does
 * not show the photo.
 */
export function noticesFor(rows: Rows, viewer: Name) {
  const own = rows.notices.filter(({ to }) => to === viewer);
  const groups = Map.groupBy(own, (notice) => {
    const { type, photo } = notice;
    return type === 'like' || type === 'favorite' ? `${type} ${photo}` : notice;
  });
  return [...groups.values()].map((group) => {
    const { type, actor, photo: about, comment, isRead } = group.at(-1)!;
    const photo = about === undefined ? undefined : rows.photos.get(about);
    const isSeen = photo !== undefined && seesPhoto(rows, viewer, photo);
    return {
      type,
      actor: isEnabled(rows, actor) ? actor : '',
      photo: isSeen ? photo.label : null,
      comment: isSeen && comment !== undefined ? rows.comments.get(comment)!.content : null,
      count: group.length,
      is_read: isRead,
    };
  });
}
