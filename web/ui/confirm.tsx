/** A dialog that asks for confirmation of an action, and names the affected things and the consequence. */
import type { ReactNode } from 'react';
import { t } from '../messages/messages.ts';
import styles from './dialog.module.css';
import { Dialog, DialogButtons } from './dialog.tsx';
import { describeError } from './error-notice.tsx';

interface Props {
  title: string;
  text?: string;
  /** Label of the button: a verb and its object. */
  action: string;
  onConfirm(): void;
  onClose(): void;
  isBusy?: boolean;
  /** Error of a failed attempt. */
  error?: Error | null;
  /** True if the action loses no data. */
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
