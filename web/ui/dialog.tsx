/**
 * A dialog over the page: the browser's own, which keeps the focus within, closes on Esc, and gives the focus back.
 * It is there as long as it is rendered; loaded with what needs it, never with a page.
 */
import { X } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { t } from '../messages/messages.ts';
import styles from './dialog.module.css';

interface Props {
  title: string;
  /** Esc, the cross, and a click beside it where nothing could be lost that was typed. */
  onClose(): void;
  children: ReactNode;
  /** For what is more than a question. */
  isWide?: boolean;
}

/** Gets the focus first, after what asks for it: a field, else the dialog itself, so that Enter does nothing unread. */
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
    // What had the focus may be gone: the key is still the dialog's, not that of the page below.
    const captureKey = (event: KeyboardEvent) => event.target === document.body && event.stopPropagation();
    window.addEventListener('keydown', captureKey, true);
    return () => {
      window.removeEventListener('keydown', captureKey, true);
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
        // Of this dialog, not of a field for files within it; it goes when it is no longer rendered.
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose();
      }}
      // Browsers let a second Esc close it in any case.
      onClose={onClose}
      // Its keys and clicks are its own: the page below hears none of them.
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

/** The buttons at its end. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}
