/** Holds the work of an import while it is paused, and lets the work go on. */

/** Reason why nothing is sent although files are left. */
export type ImportPause = 'held' | 'offline' | 'unreachable' | 'rest' | 'signedOut' | 'quota' | 'full';

export type ImportGate = ReturnType<typeof createImportGate>;

/** `onClose` stops what is being sent, and `onChange` shows the state. */
export function createImportGate({ onClose, onChange }: { onClose(): void; onChange(): void }) {
  let pause: ImportPause | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReleased = false;
  let opened = Promise.resolve();
  let resolveOpened = () => {};

  function open(): void {
    clearTimeout(timer);
    if (!pause) return;
    pause = navigator.onLine ? undefined : 'offline';
    if (!pause) resolveOpened();
    onChange();
  }

  return {
    pause: () => pause,
    /** Resolves when the import is not paused. */
    async pass(): Promise<void> {
      while (pause) await opened;
    },
    /** Pauses the import, for `ms` milliseconds or until `open` is called. The user's own pause stays. */
    close(why: ImportPause, ms?: number): void {
      if (isReleased) return;
      if (pause === 'held' && why !== 'held') return;
      clearTimeout(timer);
      if (!pause) {
        opened = new Promise((resolve) => {
          resolveOpened = resolve;
        });
      }
      pause = why;
      if (ms !== undefined) timer = setTimeout(open, Math.max(0, ms));
      // The rate limit concerns the next files only.
      if (why !== 'rest') onClose();
      onChange();
    },
    open,
    isReleased: () => isReleased,
    /** Opens the gate for the end of a stopped import. The gate stays open. */
    release(): void {
      clearTimeout(timer);
      isReleased = true;
      pause = undefined;
      resolveOpened();
    },
  };
}
