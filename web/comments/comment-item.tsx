/** One comment or reply: author, time, text and actions. */
import { Link } from '@tanstack/react-router';
import { Heart } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { CurrentUser, Photo, Reply } from '../api/types.ts';
import { Avatar } from '../auth/avatar.tsx';
import { t } from '../messages/messages.ts';
import { ReportForm } from '../reports/report-form.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { formatAgo, formatDateTime } from '../ui/time.ts';
import { EditCommentForm } from './comment-form.tsx';
import styles from './comments.module.css';
import { useLikeComment } from './queries.ts';

interface Props {
  comment: Reply;
  photo: Photo;
  user: CurrentUser | null | undefined;
  answer(comment: Reply): void;
  remove(comment: Reply): void;
}

type OpenForm = 'change' | 'report' | undefined;

export function CommentItem({ comment, photo, user, answer, remove }: Props) {
  const [open, setOpen] = useState<OpenForm>();
  const like = useLikeComment(photo.id);
  const { id, content, likes, is_liked, create_time } = comment;
  const isOwn = user?.id === comment.user.id;
  const mayDelete = isOwn || user?.id === photo.user.id || user?.is_admin;
  const isMeant = location.hash === `#comment-${id}`;
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isMeant) article.current?.scrollIntoView({ block: 'center' });
  }, [isMeant]);
  return (
    <article ref={article} className={styles.remark} data-meant={isMeant || undefined}>
      <Avatar user={comment.user} size={28} />
      <div>
        <p className={styles.by}>
          <CommentAuthor user={comment.user} />
          <time dateTime={`${create_time.replace(' ', 'T')}Z`} title={formatDateTime(create_time)}>
            {formatAgo(create_time)}
          </time>
        </p>
        {open === 'change' ? (
          <EditCommentForm photo={photo.id} comment={comment} close={() => setOpen(undefined)} />
        ) : (
          <p className={styles.content} dir="auto">
            {content}
          </p>
        )}
        <p className={styles.acts} hidden={open === 'change'}>
          {user ? (
            <button
              className={styles.act}
              type="button"
              aria-pressed={is_liked}
              onClick={() => like.mutate({ id, isLiked: !is_liked })}
            >
              <Heart size={15} aria-hidden="true" fill={is_liked ? 'currentColor' : 'none'} />
              <span className="unseen">{t('likeComment')}</span>
              {likes > 0 && likes}
            </button>
          ) : (
            likes > 0 && <span>{t('likes', { count: likes })}</span>
          )}
          {user && (
            <button className={styles.act} type="button" onClick={() => answer(comment)}>
              {t('reply')}
            </button>
          )}
          {isOwn && (
            <button className={styles.act} type="button" onClick={() => setOpen('change')}>
              {t('editComment')}
            </button>
          )}
          {mayDelete && (
            <ConfirmButton
              className={styles.act}
              label={t('deleteComment')}
              question={t(comment.reply_count > 0 ? 'deleteThreadQuestion' : 'deleteCommentQuestion')}
              onConfirm={() => remove(comment)}
            />
          )}
          {user && !isOwn && (
            <button className={styles.act} type="button" onClick={() => setOpen('report')}>
              {t('report')}
            </button>
          )}
        </p>
        {open === 'report' && <ReportForm target="comment" id={id} close={() => setOpen(undefined)} />}
      </div>
    </article>
  );
}

/** A disabled account has no name in API responses. */
function CommentAuthor({ user: { username, nickname } }: Pick<Reply, 'user'>) {
  if (username === '') return <span>{t('unavailableUser')}</span>;
  return (
    <Link to="/users/$name" params={{ name: username }} dir="auto">
      {nickname || username}
    </Link>
  );
}
