/** Shows a comment with its replies. */
import { useState } from 'react';
import type { Comment, CurrentUser, Photo, Reply } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { describeError } from '../ui/error-notice.tsx';
import { ReplyForm } from './comment-form.tsx';
import { CommentItem } from './comment-item.tsx';
import styles from './comments.module.css';
import { useMoreReplies } from './queries.ts';

interface Props {
  thread: Comment;
  photo: Photo;
  user: CurrentUser | null | undefined;
  remove(comment: Reply): void;
}

export function CommentThread({ thread, photo, user, remove }: Props) {
  const [answers, setAnswers] = useState<Reply>();
  const more = useMoreReplies(photo.id);
  const hidden = thread.reply_count - thread.replies.length;
  const shared = { photo, user, remove, answer: setAnswers };
  return (
    <li>
      <CommentItem comment={thread} {...shared} />
      {(thread.replies.length > 0 || answers) && (
        <div className={styles.replies}>
          <ul className={styles.list}>
            {thread.replies.map((reply) => (
              <li key={reply.id}>
                <CommentItem comment={reply} {...shared} />
              </li>
            ))}
          </ul>
          {hidden > 0 && (
            <button
              className={styles.act}
              type="button"
              aria-busy={more.isPending}
              onClick={() => more.mutate(thread)}
            >
              {t('showMoreReplies', { count: hidden })}
            </button>
          )}
          {more.error && (
            <p className={styles.problem} role="alert">
              {describeError(more.error)}
            </p>
          )}
          {answers && (
            <ReplyForm
              key={answers.id}
              photo={photo.id}
              answers={answers}
              close={() => setAnswers(undefined)}
            />
          )}
        </div>
      )}
    </li>
  );
}
