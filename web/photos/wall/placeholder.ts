/**
 * What stands for a photo until it is there. To decode one takes up to half a millisecond, and a section brings a
 * hundred and fifty at once: so each frame decodes as many as fit, first those that came first.
 */
import { thumbHashToDataURL } from 'thumbhash';

/** Of each frame, in milliseconds. */
const share = 4;

const waiting = new Map<HTMLElement, string>();
let isUnderway = false;

/** Behind the image of a tile. Returns how to give it up: the tile is gone. */
export function showPlaceholder(element: HTMLElement, hash: string): () => void {
  waiting.set(element, hash);
  if (!isUnderway) {
    isUnderway = true;
    // When all tiles of this rendering are known, and before they are painted.
    queueMicrotask(decode);
  }
  return () => {
    if (waiting.get(element) === hash) waiting.delete(element);
  };
}

function decode(): void {
  const begin = performance.now();
  for (const [element, hash] of waiting) {
    if (performance.now() - begin > share) break;
    waiting.delete(element);
    if (isThere(element.querySelector('img'))) continue;
    const bytes = Uint8Array.from(atob(hash), (character) => character.charCodeAt(0));
    element.style.backgroundImage = `url(${thumbHashToDataURL(bytes)})`;
  }
  isUnderway = waiting.size > 0;
  if (isUnderway) requestAnimationFrame(decode);
}

const isThere = (image: HTMLImageElement | null): boolean =>
  image?.complete === true && image.naturalWidth > 0;
