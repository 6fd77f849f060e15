/** A form to write a comment or a reply. An unsent draft survives navigation and a new sign-in. */
import { type KeyboardEvent, useId } from 'react';
import type { Reply } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { CheckedForm } from '../ui/checked-form.tsx';
import { describeError } from '../ui/error-notice.tsx';
import { createFieldErrorLookup } from '../ui/form.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import styles from './comments.module.css';
import { useUpdateComment, useWriteComment } from './queries.ts';
import { useCommentDraft } from './use-draft.ts';

interface Props {
  photo: number;
  answers: Reply | undefined;
  close?: () => void;
}

/** Maximum characters of a comment, as in the API. */
const maxLength = 1000;

export function ReplyForm(props: Required<Props>) {
  useReturnFocus();
  return <CommentForm {...props} />;
}

export function CommentForm({ photo, answers, close }: Props) {
  const [text, setText] = useCommentDraft(`comment:${photo}:${answers?.id ?? ''}`);
  const write = useWriteComment(photo);
  const name = answers && (answers.user.nickname || answers.user.username);
  const sendComment = () => {
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
    <CommentEditor
      {...{ text, setText, send: sendComment, close }}
      label={name ? t('replyTo', { name }) : t('writeComment')}
      action={t('postComment')}
      isBusy={write.isPending}
      error={write.error}
      isOpened={answers !== undefined}
    />
  );
}

/** Edits the user's own comment in place. */
export function EditCommentForm({ photo, comment, close }: { photo: number; comment: Reply; close(): void }) {
  useReturnFocus();
  const [text, setText] = useCommentDraft(`change:${comment.id}`, comment.content);
  const change = useUpdateComment(photo);
  const cancelEdit = () => {
    setText('');
    close();
  };
  const saveComment = () => {
    if (text.trim() === comment.content) return cancelEdit();
    change.mutate({ id: comment.id, content: text.trim() }, { onSuccess: cancelEdit });
  };
  return (
    <CommentEditor
      {...{ text, setText, send: saveComment }}
      close={cancelEdit}
      label={t('editYourComment')}
      action={t('save')}
      isBusy={change.isPending}
      error={change.error}
      isOpened
    />
  );
}

interface CommentEditorProps {
  text: string;
  setText(text: string): void;
  send(): void;
  close: (() => void) | undefined;
  label: string;
  /** Label of the submit button. */
  action: string;
  isBusy: boolean;
  error: Error | null;
  /** True if a button opened the form, which then takes the focus. */
  isOpened: boolean;
}

function CommentEditor({
  text,
  setText,
  send,
  close,
  label,
  action,
  isBusy,
  error,
  isOpened,
}: CommentEditorProps) {
  const id = useId();
  const isEmpty = text.trim() === '';
  const sendIfReady = () => {
    if (!isEmpty && !isBusy) send();
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) sendIfReady();
    else if (event.key === 'Escape' && close) {
      event.preventDefault();
      close();
    }
  };
  const problem = error && (createFieldErrorLookup(error)('content') ?? describeError(error));
  return (
    <CheckedForm className={styles.form} onSubmit={sendIfReady}>
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the user pressed a button to open the form
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
        onKeyDown={handleKeyDown}
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
    </CheckedForm>
  );
}
