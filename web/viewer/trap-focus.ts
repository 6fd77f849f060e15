/** Tab over a picture goes round: its bar, its panel, and the notices, which lie over it without being part of it. */

const focusableSelector = 'a[href], button, input, select, textarea, summary, [tabindex]';

/** PhotoSwipe takes the focus back from elsewhere, but knows no way from its first stop backwards. */
export function trapFocus(viewer: HTMLElement, event: KeyboardEvent): void {
  if (event.key !== 'Tab' || event.defaultPrevented) return;
  const at = document.activeElement;
  const rings = [viewer, ...document.querySelectorAll<HTMLElement>('[data-notices]')]
    .map((part) => ({ part, all: findFocusable(part) }))
    .filter(({ part, all }) => all.length > 0 || part === viewer);
  const here = rings.findIndex(({ part }) => part.contains(at));
  if (here < 0) return;
  const step = event.shiftKey ? -1 : 1;
  const { part, all } = rings[here]!;
  // Within a part the browser knows the way.
  const isAtEnd = event.shiftKey ? at === part || at === all[0] : at === all.at(-1);
  if (!isAtEnd) return;
  const next = rings.at((here + step) % rings.length)!.all;
  event.preventDefault();
  next.at(event.shiftKey ? -1 : 0)?.focus();
}

function findFocusable(part: HTMLElement): HTMLElement[] {
  return [...part.querySelectorAll<HTMLElement>(focusableSelector)].filter(
    (stop) =>
      stop.tabIndex >= 0 && !stop.matches(':disabled') && stop.checkVisibility({ visibilityProperty: true }),
  );
}
