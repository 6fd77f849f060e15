/**
 * The page takes the place of the document's own elements, which look like its own. A link that has the focus by then
 * keeps it, so that a key means the tile that one sees marked; keys that were pressed meanwhile are pressed again, each
 * at its tile.
 */
import { flushSync } from 'react-dom';
import { replayKeys } from './ui/kept-keys.ts';

/** Tab and Enter do by themselves what they do. */
const nativeKeys = /^(?:Tab|Enter|Shift|Control|Alt|Meta)$/;

/** From now until what it returns is called, which renders. */
export function captureEarlyInput(root: HTMLElement): (render: () => void) => void {
  const pressed: { href: string; key: string; shiftKey: boolean }[] = [];
  const captureKey = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, altKey, metaKey } = event;
    const isChord = ctrlKey || altKey || metaKey;
    const href = readHref(root, event.target, '.tile[href]');
    if (!href || isChord || nativeKeys.test(key)) return;
    event.preventDefault();
    pressed.push({ href, key, shiftKey });
  };
  window.addEventListener('keydown', captureKey);
  return (render) => {
    window.removeEventListener('keydown', captureKey);
    const focused = readHref(root, document.activeElement, 'a[href]');
    // At once: between two steps a key would be nobody's.
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
