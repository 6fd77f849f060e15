/**
 * The page takes the place of the document's own elements, which look like its own. A link that has the focus by then
 * keeps it, so that a key means the tile that one sees marked; keys that were pressed meanwhile are pressed again, each
 * at its tile.
 */
import { flushSync } from 'react-dom';
import { pressAgain } from './ui/kept-keys.ts';

/** Tab and Enter do by themselves what they do. */
const ownKeys = /^(?:Tab|Enter|Shift|Control|Alt|Meta)$/;

/** From now until what it returns is called, which renders. */
export function prepareTakeOver(root: HTMLElement): (render: () => void) => void {
  const pressed: { href: string; key: string; shiftKey: boolean }[] = [];
  const keep = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, altKey, metaKey } = event;
    const isChord = ctrlKey || altKey || metaKey;
    const href = hrefIn(root, event.target, '.tile[href]');
    if (!href || isChord || ownKeys.test(key)) return;
    event.preventDefault();
    pressed.push({ href, key, shiftKey });
  };
  window.addEventListener('keydown', keep);
  return (render) => {
    window.removeEventListener('keydown', keep);
    const focused = hrefIn(root, document.activeElement, 'a[href]');
    // At once: between two steps a key would be nobody's.
    flushSync(render);
    const linkTo = (href: string) => root.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`);
    if (focused) linkTo(focused)?.focus({ preventScroll: true });
    pressAgain(
      pressed.flatMap(({ href, ...key }) => {
        const tile = linkTo(href);
        return tile ? [{ tile, ...key }] : [];
      }),
    );
  };
}

function hrefIn(root: HTMLElement, target: unknown, links: string): string | null | undefined {
  const link = target instanceof Element ? target.closest(links) : null;
  return root.contains(link) ? link?.getAttribute('href') : undefined;
}
