/** The images that the document brought: a tile that takes one's place shows the same file, without loading another. */
const firstImages = new Map<string, string>();

/** Before the document's own elements are replaced. */
export function rememberFirstImages(root: HTMLElement): void {
  for (const tile of root.querySelectorAll<HTMLElement>('.tile[data-id]')) {
    const image = tile.querySelector('img');
    // Also one that is on its way; one that failed gets another try.
    const isFailed = image?.complete && image.naturalWidth === 0;
    if (image?.currentSrc && !isFailed) firstImages.set(tile.dataset.id!, image.currentSrc);
  }
}

export function findFirstImage(id: number): string | undefined {
  return firstImages.get(String(id));
}
