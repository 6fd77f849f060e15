/**
 * Replaces the document's server-rendered elements with the page, which looks the same. The focus stays on
 * its link, and keys that were pressed before are replayed on their tiles.
 */
import { flushSync } from 'react-dom';
import { replayKeys } from './ui/replay-keys.ts';

/** Keys that the browser handles without a script. */
const nativeKeys = /^(?:Tab|Enter|Shift|Control|Alt|Meta)$/;

/** Records keys from now on. The returned function renders the page and replays the keys. */
export function captureEarlyInput(root: HTMLElement): (render: () => void) => void {
  const pressed: { href: string; key: string; code: string; shiftKey: boolean }[] = [];
  const captureKey = (event: KeyboardEvent) => {
    const { key, code, shiftKey, ctrlKey, altKey, metaKey } = event;
    const isChord = ctrlKey || altKey || metaKey;
    const href = readHref(root, event.target, '.tile[href]');
    if (!href || isChord || nativeKeys.test(key)) return;
    event.preventDefault();
    pressed.push({ href, key, code, shiftKey });
  };
  window.addEventListener('keydown', captureKey);
  return (render) => {
    window.removeEventListener('keydown', captureKey);
    const focused = readHref(root, document.activeElement, 'a[href]');
    // Render synchronously: a key between two steps would be lost.
    flushSync(render);
    const findLink = (href: string) => root.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`);
    if (focused) findLink(focused)?.focus({ preventScroll: true });
    replayKeys(
      pressed.flatMap(({ href, ...key }) => {
        const tile = findLink(href);
        return tile ? [{ tile, ...key }] : [];
      }),
    );
  };
}

function readHref(root: HTMLElement, target: unknown, links: string): string | null | undefined {
  const link = target instanceof Element ? target.closest(links) : null;
  return root.contains(link) ? link?.getAttribute('href') : undefined;
}
