/** A field to say something, or to answer. What is written stays until it is sent, also over a sign-in. */
import { type FormEvent, type KeyboardEvent, useId } from 'react';
import type { Reply } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { fieldErrorOf } from '../ui/form.tsx';
import { textOf } from '../ui/trouble.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import styles from './comments.module.css';
import { useChangeComment, useWriteComment } from './queries.ts';
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
  const [text, setText] = useDraft(`comment:${photo}:${answers?.id ?? ''}`);
  const write = useWriteComment(photo);
  const name = answers && (answers.user.nickname || answers.user.username);
  const send = () => {
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
  return (
    <Writing
      {...{ text, setText, send, close }}
      label={name ? t('replyTo', { name }) : t('writeComment')}
      action={t('sendComment')}
      isBusy={write.isPending}
      error={write.error}
      isOpened={answers !== undefined}
    />
  );
}

/** In the place of one's own comment. */
export function ChangeForm({ photo, comment, close }: { photo: number; comment: Reply; close(): void }) {
  useReturnFocus();
  const [text, setText] = useDraft(`change:${comment.id}`, comment.content);
  const change = useChangeComment(photo);
  const leave = () => {
    setText('');
    close();
  };
  const send = () => {
    if (text.trim() === comment.content) return leave();
    change.mutate({ id: comment.id, content: text.trim() }, { onSuccess: leave });
  };
  return (
    <Writing
      {...{ text, setText, send }}
      close={leave}
      label={t('changeComment')}
      action={t('save')}
      isBusy={change.isPending}
      error={change.error}
      isOpened
    />
  );
}

interface WritingProps {
  text: string;
  setText(text: string): void;
  send(): void;
  close: (() => void) | undefined;
  label: string;
  /** What the button says. */
  action: string;
  isBusy: boolean;
  error: Error | null;
  /** By a button that was pressed. */
  isOpened: boolean;
}

function Writing({ text, setText, send, close, label, action, isBusy, error, isOpened }: WritingProps) {
  const id = useId();
  const isEmpty = text.trim() === '';
  const go = () => {
    if (!isEmpty && !isBusy) send();
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) go();
    else if (event.key === 'Escape' && close) {
      event.preventDefault();
      close();
    }
  };
  const problem = error && (fieldErrorOf(error)('content') ?? textOf(error));
  return (
    <form
      className={styles.form}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        go();
      }}
    >
      <textarea
        // biome-ignore lint/a11y/noAutofocus: it answers the button that was pressed
        autoFocus={isOpened}
        aria-label={label}
        placeholder={label}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? id : undefined}
        dir="auto"
        rows={isOpened || !isEmpty ? 3 : 1}
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
          <button className="button" type="submit" aria-busy={isBusy} aria-disabled={isEmpty}>
            {action}
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
