/** Asks before something that cannot be undone: names what and how many, and what becomes of it. */
import type { ReactNode } from 'react';
import { t } from '../messages/messages.ts';
import styles from './dialog.module.css';
import { Dialog, DialogButtons } from './dialog.tsx';
import { describeError } from './error-notice.tsx';

interface Props {
  title: string;
  text?: string;
  /** What the button says: a verb, and what it is done to. */
  action: string;
  onConfirm(): void;
  onClose(): void;
  isBusy?: boolean;
  /** Why it did not work. */
  error?: Error | null;
  /** Nothing is lost by it. */
  isHarmless?: boolean;
  children?: ReactNode;
}

export function ConfirmDialog({
  title,
  text,
  action,
  onConfirm,
  onClose,
  isBusy,
  error,
  isHarmless,
  children,
}: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      {text && <p className={styles.text}>{text}</p>}
      {children}
      {error && (
        <p className={styles.problem} role="alert">
          {describeError(error)}
        </p>
      )}
      <DialogButtons>
        <button className="button quiet" type="button" data-focus onClick={onClose}>
          {t('cancel')}
        </button>
        <button
          className="button"
          type="button"
          aria-busy={isBusy}
          data-alarm={!isHarmless || undefined}
          onClick={() => !isBusy && onConfirm()}
        >
          {action}
        </button>
      </DialogButtons>
    </Dialog>
  );
}
