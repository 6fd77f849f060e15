/**
 * Returns the focus to the element that opened a component, when the component closes. If that element was
 * removed, the element with the same `data-opens` gets the focus. Only for components that take the focus.
 */
import { useEffect, useState } from 'react';

export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (!(opener instanceof HTMLElement)) return;
      const { opens } = opener.dataset;
      const again = opener.isConnected || !opens ? opener : findOpener(opens);
      if (again?.isConnected) again.focus();
    },
    [opener],
  );
}

function findOpener(opens: string): HTMLElement | null {
  return document.querySelector(`[data-opens="${opens}"]`);
}
