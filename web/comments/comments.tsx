/** The comments of a photo, newest first, with their replies and a form to write a comment. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { CurrentUser, Photo } from '../api/types.ts';
import { SignInLink } from '../auth/sign-in-link.tsx';
import { t } from '../messages/messages.ts';
import { describeError } from '../ui/error-notice.tsx';
import { CommentForm } from './comment-form.tsx';
import styles from './comments.module.css';
import { commentsQuery, listCommentThreads, useDeleteComment } from './queries.ts';
import { CommentThread } from './thread.tsx';

interface Props {
  photo: Photo;
  user: CurrentUser | null | undefined;
  /** The user asked for the comments, which get the focus when they are loaded. */
  isWanted: boolean;
  onShown(): void;
}

export function Comments({ photo, user, isWanted, onShown }: Props) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } =
    useInfiniteQuery({ ...commentsQuery(photo.id), enabled: photo.comments > 0 });
  const remove = useDeleteComment(photo.id);
  const heading = useRef<HTMLHeadingElement>(null);
  const [told, setTold] = useState('');
  const isWaiting = photo.comments > 0 && !data && !error;

  useEffect(() => {
    if (!isWanted || isWaiting) return;
    heading.current?.scrollIntoView();
    heading.current?.focus({ preventScroll: true });
    onShown();
  }, [isWanted, isWaiting, onShown]);
  // The focused button disappeared with the deleted comment, so another element gets the focus.
  useEffect(() => {
    if (!remove.isSuccess) return;
    setTold(t('commentDeleted'));
    heading.current?.focus();
  }, [remove.isSuccess]);

  return (
    <section className={styles.comments} aria-label={t('comments')} aria-busy={isWaiting}>
      <h3 ref={heading} tabIndex={-1}>
        {photo.comments > 0 ? t('commentCount', { count: photo.comments }) : t('comments')}
      </h3>
      <p className="unseen" role="status">
        {told}
      </p>
      {user ? (
        <CommentForm key={photo.id} photo={photo.id} answers={undefined} />
      ) : (
        <p className={styles.hint}>
          <SignInLink>{t('signInToComment')}</SignInLink>
        </p>
      )}
      {photo.comments === 0 && user && <p className={styles.hint}>{t('noComments')}</p>}
      {error && !isFetchNextPageError && (
        <p className={styles.problem} role="alert">
          {describeError(error)}{' '}
          <button className={styles.act} type="button" onClick={() => void refetch()}>
            {t('retry')}
          </button>
        </p>
      )}
      <ul className={styles.list}>
        {listCommentThreads(data).map((thread) => (
          <CommentThread key={thread.id} {...{ thread, photo, user }} remove={remove.mutate} />
        ))}
      </ul>
      {remove.error && (
        <p className={styles.problem} role="alert">
          {describeError(remove.error)}
        </p>
      )}
      {isFetchNextPageError && (
        <p className={styles.problem} role="alert">
          {describeError(error!)}
        </p>
      )}
      {hasNextPage && (
        <button
          className="button quiet"
          type="button"
          aria-busy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('showOlderComments')}
        </button>
      )}
    </section>
  );
}
