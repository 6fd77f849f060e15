/** Keeps the screen on, in browsers that can. */
import { useEffect } from 'react';

export function useWakeLock(isOn: boolean): void {
  useEffect(() => {
    // Older browsers and pages without HTTPS have no wake lock.
    if (!isOn || !('wakeLock' in navigator)) return;
    let lock: WakeLockSentinel | undefined;
    let isOver = false;
    const request = async () => {
      if (document.visibilityState !== 'visible') return;
      const granted = await navigator.wakeLock.request('screen').catch(() => undefined);
      if (isOver) await granted?.release();
      else lock = granted;
    };
    void request();
    // The browser releases the lock when the page is hidden.
    document.addEventListener('visibilitychange', request);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', request);
      void lock?.release();
    };
  }, [isOn]);
}
