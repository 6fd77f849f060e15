/**
 * What stands for a photo until it is there. To decode one takes up to half a millisecond, and a section brings a
 * hundred and fifty at once: so each frame decodes as many as fit, first those that came first.
 */
import { thumbHashToDataURL } from 'thumbhash';

/** Of each frame, in milliseconds. */
const frameBudgetMs = 4;

const pendingTiles = new Map<HTMLElement, string>();
let isDecodeScheduled = false;

/** Behind the image of a tile. Returns how to give it up: the tile is gone. */
export function showPlaceholder(element: HTMLElement, hash: string): () => void {
  pendingTiles.set(element, hash);
  if (!isDecodeScheduled) {
    isDecodeScheduled = true;
    // When all tiles of this rendering are known, and before they are painted.
    queueMicrotask(decodePending);
  }
  return () => {
    if (pendingTiles.get(element) === hash) pendingTiles.delete(element);
  };
}

function decodePending(): void {
  const begin = performance.now();
  for (const [element, hash] of pendingTiles) {
    if (performance.now() - begin > frameBudgetMs) break;
    pendingTiles.delete(element);
    if (isImageLoaded(element.querySelector('img'))) continue;
    const bytes = Uint8Array.from(atob(hash), (character) => character.charCodeAt(0));
    element.style.backgroundImage = `url(${thumbHashToDataURL(bytes)})`;
  }
  isDecodeScheduled = pendingTiles.size > 0;
  if (isDecodeScheduled) requestAnimationFrame(decodePending);
}

const isImageLoaded = (image: HTMLImageElement | null): boolean =>
  image?.complete === true && image.naturalWidth > 0;
