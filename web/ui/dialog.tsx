/**
 * A modal dialog based on the browser's `dialog` element, which traps the focus, closes on Esc and returns
 * the focus. The dialog is open while it is rendered. The dialog's script is loaded on demand, never with a
 * page.
 */
import { X } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { t } from '../messages/messages.ts';
import styles from './dialog.module.css';

interface Props {
  title: string;
  /** Called on Esc, the close button, and a click outside if the dialog has no fields. */
  onClose(): void;
  children: ReactNode;
  /** Wide layout, for dialogs with more than a question. */
  isWide?: boolean;
}

/**
 * First element to focus without `data-focus`: a field, or otherwise the dialog itself, so that Enter
 * confirms nothing unread.
 */
const firstFocusSelector = '[data-focus], input:not([hidden]), textarea, select';
const findElement = (element: HTMLElement, selector: string) => element.querySelector<HTMLElement>(selector);

export function Dialog({ title, onClose, children, isWide }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current!;
    const opener = document.activeElement;
    element.showModal();
    (findElement(element, '[data-focus]') ?? findElement(element, firstFocusSelector) ?? element).focus();
    // The focused element may have been removed; the key still belongs to the dialog, not to the page below.
    const captureKey = (event: KeyboardEvent) => event.target === document.body && event.stopPropagation();
    window.addEventListener('keydown', captureKey, true);
    return () => {
      window.removeEventListener('keydown', captureKey, true);
      document.body.append(...element.querySelectorAll('[data-toasts]'));
      element.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return createPortal(
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={id}
      tabIndex={-1}
      data-wide={isWide || undefined}
      onCancel={(event) => {
        // A file field inside the dialog also sends a cancel event. The dialog closes when its parent stops
        // rendering it.
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose();
      }}
      // Browsers close the dialog on a second Esc even if the first was prevented.
      onClose={onClose}
      // Keys and clicks in the dialog must not reach the page below.
      onKeyDown={(event) => event.stopPropagation()}
      onClick={(event) => {
        event.stopPropagation();
        if (event.target === dialog.current && !dialog.current.querySelector(firstFocusSelector)) onClose();
      }}
    >
      <div className={styles.content}>
        <div className={styles.head}>
          <h2 id={id}>{title}</h2>
          <button className={styles.close} type="button" aria-label={t('close')} onClick={onClose}>
            <X size={20} aria-hidden="true" />
          </button>
        </div>
        {children}
      </div>
    </dialog>,
    document.body,
  );
}

/** The row of buttons at the end of a dialog. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}
