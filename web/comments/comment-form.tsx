/** A field to say something, or to answer. What is written stays until it is sent, also over a sign-in. */
import { type FormEvent, type KeyboardEvent, useId } from 'react';
import type { Reply } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { fieldErrorOf } from '../ui/form.tsx';
import { textOf } from '../ui/trouble.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import styles from './comments.module.css';
import { useWriteComment } from './queries.ts';
import { useDraft } from './use-draft.ts';

interface Props {
  photo: number;
  answers: Reply | undefined;
  close?: () => void;
}

/** As the API has it. */
const maxLength = 1000;

export function ReplyForm(props: Required<Props>) {
  useReturnFocus();
  return <CommentForm {...props} />;
}

export function CommentForm({ photo, answers, close }: Props) {
  const id = useId();
  const [text, setText] = useDraft(`comment:${photo}:${answers?.id ?? ''}`);
  const write = useWriteComment(photo);
  const isEmpty = text.trim() === '';
  const name = answers && (answers.user.nickname || answers.user.username);
  const send = () => {
    if (isEmpty || write.isPending) return;
    write.mutate(
      { content: text, answers },
      {
        onSuccess: () => {
          setText('');
          close?.();
        },
      },
    );
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
    else if (event.key === 'Escape' && close) {
      event.preventDefault();
      close();
    }
  };
  const problem = write.error && (fieldErrorOf(write.error)('content') ?? textOf(write.error));
  return (
    <form
      className={styles.form}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        // biome-ignore lint/a11y/noAutofocus: it answers the button that was pressed
        autoFocus={answers !== undefined}
        aria-label={name ? t('replyTo', { name }) : t('writeComment')}
        placeholder={name ? t('replyTo', { name }) : t('writeComment')}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? id : undefined}
        dir="auto"
        rows={answers || !isEmpty ? 3 : 1}
        maxLength={maxLength}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={press}
      />
      {problem && (
        <p id={id} className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {(!isEmpty || close) && (
        <p className={styles.send}>
          <button className="button" type="submit" aria-busy={write.isPending} aria-disabled={isEmpty}>
            {t('sendComment')}
          </button>
          {close && (
            <button className="button quiet" type="button" onClick={close}>
              {t('cancel')}
            </button>
          )}
        </p>
      )}
    </form>
  );
}
