/** Works through many things, a few at a time. */

/**
 * At most `most` at once; the next item is only asked for when one of them is free, so that a source of any length
 * needs no memory. Waits for what is under way before it throws the first error.
 */
export async function inParallel<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  max: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const source = iterate(items);
  let isFailed = false;

  async function worker(): Promise<void> {
    while (!isFailed) {
      const { done, value } = await source.next();
      if (done) return;
      await work(value);
    }
  }

  const failing = Array.from({ length: max }, () =>
    worker().catch((error: unknown) => {
      isFailed = true;
      throw error;
    }),
  );
  const failed = (await Promise.allSettled(failing)).find((result) => result.status === 'rejected');
  if (!failed) return;
  await source.return?.(undefined);
  throw failed.reason;
}

function iterate<Item>(items: AsyncIterable<Item> | Iterable<Item>): AsyncIterator<Item> {
  if (Symbol.asyncIterator in items) return items[Symbol.asyncIterator]();
  const iterator = items[Symbol.iterator]();
  return { next: async () => iterator.next() };
}
