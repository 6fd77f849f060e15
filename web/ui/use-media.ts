/** Watches a media query. */
import { useCallback, useSyncExternalStore } from 'react';

/** Media query of windows whose controls stand at the bottom, near the thumb. */
export const narrowWindow = '(max-width: 700px)';

/** Returns whether the media query matches now, and renders again when that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
