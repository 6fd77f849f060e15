/**
 * Shows a blurred placeholder until a photo is loaded. Decoding takes up to half a millisecond, and a section
 * may have 150 photos, so each frame decodes only a few, oldest first.
 */
import { thumbHashToDataURL } from 'thumbhash';

/** Time for decoding in each frame, in milliseconds. */
const frameBudgetMs = 4;

const pendingTiles = new Map<HTMLElement, string>();
let isDecodeScheduled = false;

/** Sets the placeholder behind a tile's image. Returns a function that cancels the decoding. */
export function showPlaceholder(element: HTMLElement, hash: string): () => void {
  pendingTiles.set(element, hash);
  if (!isDecodeScheduled) {
    isDecodeScheduled = true;
    // Decode when all tiles of this render are known, before the browser paints.
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
