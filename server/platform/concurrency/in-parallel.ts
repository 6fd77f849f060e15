/** Works through many things, a few at a time. Why not p-map: docs/adr/0030-retries-and-mutexes.md. */

/**
 * At most `max` at once; the next item is only asked for when one of them is free, so that a source of any length
 * needs no memory. Waits for what is under way before it throws the first error.
 */
export async function inParallel<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  max: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const source = (async function* () {
    yield* items;
  })();
  // Several loops over one generator: an error in one ends it for all.
  const loops = Array.from({ length: max }, async () => {
    for await (const item of source) await work(item);
  });
  const failed = (await Promise.allSettled(loops)).find((loop) => loop.status === 'rejected');
  if (failed) throw failed.reason;
}
