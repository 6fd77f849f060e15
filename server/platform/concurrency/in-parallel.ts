/** Processes many items, a few at a time. `docs/adr/0030-retries-and-mutexes.md` explains why p-map is not used. */

/**
 * Runs `work` for at most `max` items at once. Reads an item only when a slot is free, so a source of any length needs
 * little memory. Waits for running work before it throws the first error.
 */
export async function inParallel<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  max: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const source = (async function* () {
    yield* items;
  })();
  // Several loops share one generator, so an error in one loop ends the generator for all.
  const loops = Array.from({ length: max }, async () => {
    for await (const item of source) await work(item);
  });
  const failed = (await Promise.allSettled(loops)).find((loop) => loop.status === 'rejected');
  if (failed) throw failed.reason;
}
