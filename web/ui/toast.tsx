/**
 * Notices at the window's foot: what was done, with a way to undo it, or what did not work. `showToast` from anywhere;
 * all of this is loaded with the first part that has something to say.
 */
import { X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { t } from '../messages/messages.ts';
import styles from './toast.module.css';

export interface Notice {
  text: string;
  /** What can be done about it, once; also by Ctrl+Z or ⌘Z. */
  action?: { label: string; perform(): void };
  /** Something did not work: it stays until it is closed. */
  isAlarm?: boolean;
}

interface Shown extends Notice {
  id: number;
}

const restMs = 6000;
/** For what can be undone. */
const longRestMs = 12_000;
const maxShown = 3;

let shown: Shown[] = [];
let lastId = 0;
let isMounted = false;
const listeners = new Set<() => void>();

function change(next: Shown[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** Returns how to take it away. */
export function showToast(notice: Notice): () => void {
  mount();
  const id = ++lastId;
  // Those that can be lost without harm go first.
  const kept = shown.length < maxShown ? shown : shown.toSpliced(Math.max(0, shown.findIndex(isPassing)), 1);
  change([...kept, { ...notice, id }]);
  return () => close(id);
}

const isPassing = ({ isAlarm }: Notice) => !isAlarm;

function close(id: number): void {
  change(shown.filter((notice) => notice.id !== id));
}

/** Beside the page, so that it outlives every one of them. */
function mount(): void {
  if (isMounted) return;
  isMounted = true;
  const host = document.createElement('div');
  document.body.append(host);
  createRoot(host).render(<Toasts />);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function Toasts() {
  const notices = useSyncExternalStore(subscribe, () => shown);
  // Before one sees the first of them.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      if ((event.target as Element).closest('input, textarea, select, [contenteditable]')) return;
      const last = shown.findLast(({ action }) => action);
      if (!last) return;
      event.preventDefault();
      act(last);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
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

function act({ id, action }: Shown): void {
  close(id);
  action?.perform();
}

function Toast({ notice }: { notice: Shown }) {
  const { id, text, action, isAlarm } = notice;
  // A hand on it, or the focus within, holds it.
  const [isHeld, setHeld] = useState(false);
  const cameFrom = useRef<Element>(null);
  useEffect(() => {
    if (isHeld || isAlarm) return;
    const timer = setTimeout(() => close(id), action ? longRestMs : restMs);
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
        <button type="button" onClick={() => act(notice)}>
          {action.label}
        </button>
      )}
      <button className={styles.close} type="button" aria-label={t('close')} onClick={() => close(id)}>
        <X size={18} aria-hidden="true" />
      </button>
    </div>
  );
}
