/** Listens for keys on the whole page. */
import { useEffectEvent, useLayoutEffect } from 'react';

/**
 * Handles keys with the state of the latest render. A layout effect adds the listener with that render: a key
 * before normal effects would be lost or use old state.
 */
export function useKeydown(press: (event: KeyboardEvent) => void, isOn = true): void {
  const hear = useEffectEvent(press);
  useLayoutEffect(() => {
    if (!isOn) return;
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, [isOn]);
}
