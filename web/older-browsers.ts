/**
 * Adds functions of the language that browsers lack which are otherwise new enough, such as Safari 17.0 to 17.3. The
 * script of the document (`server/gallery/pages/old-browser.ts`) tells viewers that still older browsers cannot run
 * this program, which then ends here.
 */
if (document.documentElement.hasAttribute('data-old-browser'))
  throw new Error('This browser is too old for the pages. See docs/browsers.md.');

function withResolvers(this: PromiseConstructor) {
  let resolve!: (value: unknown) => void;
  let reject!: (reason: unknown) => void;
  const promise = new this((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  return { promise, resolve, reject };
}

function groupBy<Key, Item>(
  items: Iterable<Item>,
  findKey: (item: Item, index: number) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  let index = 0;
  for (const item of items) {
    const key = findKey(item, index++);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Adds a function unless the browser has the function. */
function addMissing(owner: object, name: string, value: unknown): void {
  if (!(name in owner))
    Object.defineProperty(owner, name, { value, configurable: true, writable: true, enumerable: false });
}

addMissing(Promise, 'withResolvers', withResolvers);
addMissing(Map, 'groupBy', groupBy);
addMissing(Element.prototype, 'checkVisibility', function isVisible(this: Element): boolean {
  return this.getClientRects().length > 0 && getComputedStyle(this).visibility === 'visible';
});
