/** One notification: actor, event and link. */
import { Link } from '@tanstack/react-router';
import { Heart, MessageCircle, Reply, Star, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Notification } from '../api/types.ts';
import { Avatar } from '../auth/avatar.tsx';
import { t } from '../messages/messages.ts';
import { formatAgo, formatDateTime } from '../ui/time.ts';
import styles from './notifications.module.css';

interface Props {
  notification: Notification;
  /** Whether the notification was unread when the list opened. */
  isNew: boolean;
  onOpen: (() => void) | undefined;
}

const iconByType = { like: Heart, favorite: Star, comment: MessageCircle, reply: Reply, follow: UserPlus };

export function NotificationItem({ notification, isNew, onOpen }: Props) {
  const { actor, type, photo, comment, create_time } = notification;
  const Icon = iconByType[type];
  return (
    <li className={styles.item} data-unread={isNew || undefined}>
      <TargetLink notification={notification} open={onOpen}>
        <span className={styles.face}>
          <Avatar user={actor} size={40} />
          <span className={styles.kind} data-type={type}>
            <Icon size={12} strokeWidth={2.5} aria-hidden="true" />
          </span>
        </span>
        <span className={styles.text}>
          <span>
            {isNew && <span className="unseen">{t('noticeUnread')} </span>}
            <NotificationText notification={notification} />
          </span>
          {comment && (
            <span className={styles.quote} dir="auto">
              {comment.content}
            </span>
          )}
          {type !== 'follow' && !photo && <span className={styles.hint}>{t('noticePhotoGone')}</span>}
          <time dateTime={`${create_time.replace(' ', 'T')}Z`} title={formatDateTime(create_time)}>
            {formatAgo(create_time)}
          </time>
        </span>
        {photo && <img src={photo.thumb} width={52} height={52} alt="" loading="lazy" />}
      </TargetLink>
    </li>
  );
}

/** Links to the notification's target; without a link if the target was deleted. */
function TargetLink({
  notification,
  open,
  children,
}: Pick<Props, 'notification'> & { open: (() => void) | undefined; children: ReactNode }) {
  const { type, actor, photo, comment } = notification;
  const shared = { className: styles.place, onClick: open, children };
  if (type === 'follow' && actor.username !== '') {
    return <Link to="/users/$name" params={{ name: actor.username }} {...shared} />;
  }
  if (!photo) return <div className={styles.place}>{children}</div>;
  const hash = comment ? `comment-${comment.id}` : '';
  return <Link to="/photos/$photoId" params={{ photoId: String(photo.id) }} hash={hash} {...shared} />;
}

const singularTexts = {
  like: 'noticeLike',
  favorite: 'noticeFavorite',
  comment: 'noticeComment',
  reply: 'noticeReply',
  follow: 'noticeFollow',
} as const;
const pluralTexts = { ...singularTexts, like: 'noticeLikes', favorite: 'noticeFavorites' } as const;

function NotificationText({ notification: { type, actor, photo, count } }: Pick<Props, 'notification'>) {
  const parts: Record<string, ReactNode> = {
    // A disabled account has no name in API responses.
    '{name}': <bdi className={styles.name}>{actor.nickname || actor.username || t('unavailableUser')}</bdi>,
    '{title}': photo?.title && <bdi>“{photo.title}”</bdi>,
  };
  const text = count > 1 ? t(pluralTexts[type], { count: count - 1 }) : t(singularTexts[type]);
  return text
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .map((part) => <span key={part}>{part in parts ? parts[part] : part}</span>);
}
