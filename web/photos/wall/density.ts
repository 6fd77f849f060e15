/** How high the rows of walls are. The browser remembers the choice. */
import { useSyncExternalStore } from 'react';
import { type Density, densities } from '../../../server/gallery/pages/measure.ts';

const storageKey = 'lightwell-density';
const listeners = new Set<() => void>();
let density = readDensity();
show();

function readDensity(): Density {
  try {
    const stored = localStorage.getItem(storageKey);
    return densities.find((one) => one === stored) ?? 'normal';
  } catch {
    return 'normal';
  }
}

/** The style sheet has the same heights, for the rows that come with the document. */
function show(): void {
  document.documentElement.dataset.density = density;
}

export function setDensity(next: Density): void {
  density = next;
  show();
  try {
    localStorage.setItem(storageKey, next);
  } catch {
    // Without storage the choice lasts until the page is left.
  }
  for (const listener of listeners) listener();
}

export const getDensity = (): Density => density;

export function useDensity(): Density {
  return useSyncExternalStore(subscribe, getDensity);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
