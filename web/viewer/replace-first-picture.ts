/** Replaces the picture of the document by the viewer's own picture, without a moment that shows neither. */
import type PhotoSwipe from 'photoswipe';
import { hasFirstPicture, removeFirstPicture } from '../photos/first-picture.ts';

type Content = NonNullable<PhotoSwipe['currSlide']>['content'];

/** Neighboring pictures are loaded after the replacement, so that the visible picture has the network for itself. */
export function replaceFirstPicture(pswp: PhotoSwipe, first: number): void {
  if (!hasFirstPicture()) return;
  let isPending = true;
  const waiting = new Set<Content>();
  pswp.addFilter('useContentPlaceholder', (isUsed) => isUsed && !isPending);
  pswp.on('contentLoadImage', (event) => {
    if (!isPending || event.content.index === first) return;
    event.preventDefault();
    waiting.add(event.content);
  });
  pswp.on('loadComplete', ({ content, isError }) => {
    if (!isPending || content.index !== first) return;
    const image = content.element;
    if (isError || !(image instanceof HTMLImageElement)) return end();
    image.decode().then(() => endWhenShown(image), end);
  });
  pswp.on('change', () => pswp.currIndex !== first && end());
  pswp.on('close', end);
  pswp.on('destroy', end);

  function endWhenShown(image: HTMLImageElement): void {
    requestAnimationFrame(image.isConnected ? end : () => endWhenShown(image));
  }

  function end(): void {
    if (!isPending) return;
    isPending = false;
    removeFirstPicture();
    for (const content of waiting) content.loadImage(true);
  }
}
