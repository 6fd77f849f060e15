/** What people are told of, by the rules: each thing once, and all likes of a photo in one. */
import type { Name, Notice, Rows } from './rows.ts';
import { isEnabled, seesPhoto } from './rules.ts';

/** Nobody is told of what they did themselves. */
export function notify(rows: Rows, notice: Omit<Notice, 'isRead'>): void {
  if (notice.to !== notice.actor) rows.notices.push({ ...notice, isRead: false });
}

/** As if it had never been. */
export function retract(rows: Rows, isIt: (notice: Notice) => boolean): void {
  rows.notices = rows.notices.filter((notice) => !isIt(notice));
}

/** As they are listed, in no order. What is about a photo that they see no longer does not show it. */
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
