/**
 * Remembers the images in the HTML document, so that a React tile shows the same file without a second
 * download.
 */
const firstImages = new Map<string, string>();

/** Called before React replaces the document's elements. */
export function rememberFirstImages(root: HTMLElement): void {
  for (const tile of root.querySelectorAll<HTMLElement>('.tile[data-id]')) {
    const image = tile.querySelector('img');
    // Includes images that are still loading. A failed image is loaded again.
    const isFailed = image?.complete && image.naturalWidth === 0;
    if (image?.currentSrc && !isFailed) firstImages.set(tile.dataset.id!, image.currentSrc);
  }
}

export function findFirstImage(id: number): string | undefined {
  return firstImages.get(String(id));
}
