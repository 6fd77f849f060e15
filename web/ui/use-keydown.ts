/** Keys of the whole page. */
import { useEffectEvent, useLayoutEffect } from 'react';

/**
 * Heard as soon as what they act on is drawn, and as it is drawn: a key that comes before effects have run would be lost,
 * or mean what was there before.
 */
export function useKeydown(press: (event: KeyboardEvent) => void, isOn = true): void {
  const hear = useEffectEvent(press);
  useLayoutEffect(() => {
    if (!isOn) return;
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, [isOn]);
}
