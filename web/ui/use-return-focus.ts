/**
 * What closes gives the focus back to what opened it; where that was taken out of the page meanwhile, to what stands
 * there with the same `data-opens`. Only for what takes the focus when it opens.
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
