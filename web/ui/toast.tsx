/**
 * Short messages at the bottom of the window: a success with undo, or an error. `showToast` works from
 * anywhere. The script is loaded with the first component that uses it.
 */

import { X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { t } from '../messages/messages.ts';
import { readKey } from './keys.ts';
import styles from './toast.module.css';

export interface ToastContent {
  text: string;
  /** Action of the toast, such as undo or retry. Ctrl+Z or ⌘Z triggers it too. */
  action?: { label: string; perform(): void };
  /** Opens the page that the text is about. */
  link?: { label: string; open(): void };
  /** True for an error; the toast stays until the user closes it. */
  isError?: boolean;
}

interface ShownToast extends ToastContent {
  id: number;
}

const closeDelayMs = 6000;
/** Milliseconds until a toast with an action closes. */
const undoDelayMs = 12_000;
const maxShown = 3;

let shownToasts: ShownToast[] = [];
let lastId = 0;
let host: HTMLElement | undefined;
const toastListeners = new Set<() => void>();

function setToasts(next: ShownToast[]): void {
  shownToasts = next;
  for (const listener of toastListeners) listener();
}

/** Shows a toast. Returns a function that closes the toast. */
export function showToast(notice: ToastContent): () => void {
  mountToasts();
  const id = ++lastId;
  // Toasts that close by themselves are removed before errors.
  const kept =
    shownToasts.length < maxShown
      ? shownToasts
      : shownToasts.toSpliced(Math.max(0, shownToasts.findIndex(closesByItself)), 1);
  setToasts([...kept, { ...notice, id }]);
  return () => closeToast(id);
}

const closesByItself = ({ isError }: ToastContent) => !isError;

function closeToast(id: number): void {
  setToasts(shownToasts.filter((notice) => notice.id !== id));
}

/**
 * Renders toasts outside the page's React root, so that they survive navigation. An open dialog makes the rest
 * of the document inert, so the toasts move into the dialog. The dialog moves them back when it closes.
 */
function mountToasts(): void {
  const isNew = host === undefined;
  host ??= document.createElement('div');
  host.dataset.toasts = '';
  const place = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
  if (host.parentElement !== place) place.append(host);
  if (isNew) createRoot(host).render(<ToastList />);
}

function subscribeToToasts(listener: () => void): () => void {
  toastListeners.add(listener);
  return () => toastListeners.delete(listener);
}

function ToastList() {
  const notices = useSyncExternalStore(subscribeToToasts, () => shownToasts);
  // A layout effect adds the handler before the first toast is visible.
  useLayoutEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (readKey(event) !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      if ((event.target as Element).closest('input, textarea, select, [contenteditable]')) return;
      const last = shownToasts.findLast(({ action }) => action);
      if (!last) return;
      event.preventDefault();
      performAction(last);
    };
    window.addEventListener('keydown', handleKeyDown);
    return () => window.removeEventListener('keydown', handleKeyDown);
  }, []);
  return (
    <section className={styles.toasts} aria-label={t('statusMessages')} aria-live="polite" data-notices>
      {notices.map((notice) => (
        <Toast key={notice.id} notice={notice} />
      ))}
    </section>
  );
}

function performAction({ id, action }: ShownToast): void {
  closeToast(id);
  action?.perform();
}

function openLink({ id, link }: ShownToast): void {
  closeToast(id);
  link?.open();
}

function Toast({ notice }: { notice: ShownToast }) {
  const { id, text, action, link, isError } = notice;
  // The toast stays while the pointer is over the toast or the focus is inside.
  const [isHeld, setHeld] = useState(false);
  const cameFrom = useRef<Element>(null);
  useEffect(() => {
    if (isHeld || isError) return;
    const timer = setTimeout(() => closeToast(id), action || link ? undoDelayMs : closeDelayMs);
    return () => clearTimeout(timer);
  }, [id, isHeld, isError, action, link]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the element only pauses its timer during interaction
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys reach the buttons inside
    <div
      className={styles.toast}
      data-alarm={isError || undefined}
      // A click on a button closes the toast, so the focus returns to its previous element.
      onClick={({ target }) => {
        const isButton = (target as Element).closest('button') !== null;
        if (isButton && cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
      }}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={({ relatedTarget, currentTarget }) => {
        setHeld(true);
        if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget;
      }}
      onBlur={() => setHeld(false)}
    >
      <p>{text}</p>
      {link && (
        <button type="button" onClick={() => openLink(notice)}>
          {link.label}
        </button>
      )}
      {action && (
        <button type="button" onClick={() => performAction(notice)}>
          {action.label}
        </button>
      )}
      <button className={styles.close} type="button" aria-label={t('close')} onClick={() => closeToast(id)}>
        <X size={18} aria-hidden="true" />
      </button>
    </div>
  );
}
