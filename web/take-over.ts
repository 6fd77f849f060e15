/**
 * The page takes the place of the document's own elements, which look like its own. A link that has the focus by then
 * keeps it, so that a key means the tile that one sees marked; keys that were pressed at it meanwhile are pressed again.
 */
import { flushSync } from 'react-dom';

/** Tab and Enter do by themselves what they do. */
const ownKeys = /^(?:Tab|Enter|Shift|Control|Alt|Meta)$/;

/** From now until what it returns is called, which renders. */
export function prepareTakeOver(root: HTMLElement): (render: () => void) => void {
  const pressed: KeyboardEventInit[] = [];
  const keep = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, altKey, metaKey } = event;
    const isChord = ctrlKey || altKey || metaKey;
    if (!linkIn(root, event.target)?.matches('.tile') || isChord || ownKeys.test(key)) return;
    event.preventDefault();
    pressed.push({ key, shiftKey });
  };
  window.addEventListener('keydown', keep);
  return (render) => {
    window.removeEventListener('keydown', keep);
    const href = linkIn(root, document.activeElement)?.getAttribute('href');
    // At once: between two steps a key would be nobody's.
    flushSync(render);
    if (href == null) return;
    const link = root.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`);
    link?.focus({ preventScroll: true });
    for (const key of pressed) {
      link?.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true }));
    }
  };
}

function linkIn(root: HTMLElement, target: unknown): Element | undefined {
  const link = target instanceof Element ? target.closest('a[href]') : null;
  return link && root.contains(link) ? link : undefined;
}
