/** Hides the controls above a picture while nothing moves, and shows them at the first movement. */
import { useEffect } from 'react';

const hideDelayMs = 3500;
const hiddenClass = 'pswp--ui-away';

/** Hides the controls by time only with a mouse, because fingers show and hide them by a tap. */
export function useAutoHideControls(element: HTMLElement | undefined): void {
  useEffect(() => {
    if (!element || matchMedia('(hover: none)').matches) return;
    let timer = 0;
    /** The controls stay while the pointer is over one of them, and while a menu is open. */
    const hideControls = () => {
      if (element.querySelector('button:hover, [aria-expanded="true"], [popover]:popover-open'))
        showControls();
      else element.classList.add(hiddenClass);
    };
    const showControls = () => {
      element.classList.remove(hiddenClass);
      clearTimeout(timer);
      timer = window.setTimeout(hideControls, hideDelayMs);
    };
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

export const toggleControls = (element: HTMLElement): boolean => element.classList.toggle(hiddenClass);
