/**
 * Notices at the window's foot: what was done, with a way to undo it, or what did not work. `showToast` from anywhere;
 * all of this is loaded with the first part that has something to say.
 */
import { X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { t } from '../messages/messages.ts';
import styles from './toast.module.css';

export interface ToastContent {
  text: string;
  /** What can be done about it, once; also by Ctrl+Z or ⌘Z. */
  action?: { label: string; perform(): void };
  /** Something did not work: it stays until it is closed. */
  isAlarm?: boolean;
}

interface ShownToast extends ToastContent {
  id: number;
}

const closeDelayMs = 6000;
/** For what can be undone. */
const undoDelayMs = 12_000;
const maxShown = 3;

let shownToasts: ShownToast[] = [];
let lastId = 0;
let isMounted = false;
const listeners = new Set<() => void>();

function setToasts(next: ShownToast[]): void {
  shownToasts = next;
  for (const listener of listeners) listener();
}

/** Returns how to take it away. */
export function showToast(notice: ToastContent): () => void {
  mountToasts();
  const id = ++lastId;
  // Those that can be lost without harm go first.
  const kept =
    shownToasts.length < maxShown
      ? shownToasts
      : shownToasts.toSpliced(Math.max(0, shownToasts.findIndex(closesByItself)), 1);
  setToasts([...kept, { ...notice, id }]);
  return () => closeToast(id);
}

const closesByItself = ({ isAlarm }: ToastContent) => !isAlarm;

function closeToast(id: number): void {
  setToasts(shownToasts.filter((notice) => notice.id !== id));
}

/** Beside the page, so that it outlives every one of them. */
function mountToasts(): void {
  if (isMounted) return;
  isMounted = true;
  const host = document.createElement('div');
  document.body.append(host);
  createRoot(host).render(<ToastList />);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function ToastList() {
  const notices = useSyncExternalStore(subscribe, () => shownToasts);
  // Before one sees the first of them.
  useLayoutEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
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
    <section
      className={styles.toasts}
      aria-label={t('notices')}
      aria-live="polite"
      data-notices
      // PhotoSwipe would take it back.
      onFocus={(event) => event.stopPropagation()}
    >
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

function Toast({ notice }: { notice: ShownToast }) {
  const { id, text, action, isAlarm } = notice;
  // A hand on it, or the focus within, holds it.
  const [isHeld, setHeld] = useState(false);
  const cameFrom = useRef<Element>(null);
  useEffect(() => {
    if (isHeld || isAlarm) return;
    const timer = setTimeout(() => closeToast(id), action ? undoDelayMs : closeDelayMs);
    return () => clearTimeout(timer);
  }, [id, isHeld, isAlarm, action]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits while one is at it
    // biome-ignore lint/a11y/useKeyWithClickEvents: its buttons are for keys, too
    <div
      className={styles.toast}
      data-alarm={isAlarm || undefined}
      // Its buttons take it away: the focus goes back to where it was.
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
