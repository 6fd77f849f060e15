/**
 * The picture in the document of a photo page. The picture stays above the page until the viewer has decoded the same
 * picture, so that the photo never disappears.
 */
import { useSyncExternalStore } from 'react';

const selector = 'body > .stage';
const endEvent = 'first-picture-end';

/** Moves the picture out of the page. Called before React replaces the document's elements. */
export function detachFirstPicture(root: HTMLElement): void {
  const picture = root.querySelector<HTMLElement>('.stage');
  if (!picture) return;
  picture.inert = true;
  document.body.append(picture);
}

export const hasFirstPicture = (): boolean => document.querySelector(selector) !== null;

export function removeFirstPicture(): void {
  document.querySelector(selector)?.remove();
  document.dispatchEvent(new Event(endEvent));
}

/** Returns whether the picture is still waiting for the viewer. Other pictures then wait, too. */
export function useHasFirstPicture(): boolean {
  return useSyncExternalStore(subscribe, hasFirstPicture);
}

function subscribe(listener: () => void): () => void {
  document.addEventListener(endEvent, listener);
  return () => document.removeEventListener(endEvent, listener);
}
