/** Hides what lies over a picture while nothing moves, and shows it at the first movement. */
import { useEffect } from 'react';

const quietMs = 2000;
const away = 'pswp--ui-away';

export function useQuiet(element: HTMLElement | undefined): void {
  useEffect(() => {
    if (!element) return;
    let timer = 0;
    const wake = () => {
      element.classList.remove(away);
      clearTimeout(timer);
      timer = window.setTimeout(() => element.classList.add(away), quietMs);
    };
    // A tap on a picture shows or hides it, as PhotoSwipe says by a class of its own.
    const moves = ['pointermove', 'keydown', 'focusin'];
    for (const move of moves) element.addEventListener(move, wake);
    window.addEventListener('keydown', wake);
    wake();
    return () => {
      clearTimeout(timer);
      for (const move of moves) element.removeEventListener(move, wake);
      window.removeEventListener('keydown', wake);
    };
  }, [element]);
}
