/** Comments as JSON: explicit lists of fields. */
import { timeText } from '../../platform/http/time.ts';
import { presentActor } from '../accounts/present-user.ts';
import type { ShownRow } from './rows.ts';
import type { Comment, Reply } from './schema.ts';

export function presentReply(row: ShownRow): Reply {
  const { username, nickname, avatar, status } = row;
  return {
    id: row.id,
    photo_id: row.photo_id,
    parent_id: row.parent_id,
    content: row.content,
    likes: row.likes,
    is_liked: row.liked !== null,
    reply_count: row.reply_count,
    user: presentActor({ id: row.user_id, username, nickname, avatar, status }),
    create_time: timeText(row.create_time),
  };
}

export function presentComment(row: ShownRow, replies: ShownRow[]): Comment {
  return { ...presentReply(row), replies: replies.map(presentReply) };
}
