/** Hides the controls above a picture while nothing moves, and shows them at the first movement. */
import { useEffect } from 'react';

const hideDelayMs = 2000;
const hiddenClass = 'pswp--ui-away';

export function useAutoHideControls(element: HTMLElement | undefined): void {
  useEffect(() => {
    if (!element) return;
    let timer = 0;
    const showControls = () => {
      element.classList.remove(hiddenClass);
      clearTimeout(timer);
      timer = window.setTimeout(() => element.classList.add(hiddenClass), hideDelayMs);
    };
    // Taps are not listed, because PhotoSwipe itself toggles the class on a tap.
    const moves = ['pointermove', 'keydown', 'focusin'];
    for (const move of moves) element.addEventListener(move, showControls);
    window.addEventListener('keydown', showControls);
    showControls();
    return () => {
      clearTimeout(timer);
      for (const move of moves) element.removeEventListener(move, showControls);
      window.removeEventListener('keydown', showControls);
    };
  }, [element]);
}
