/** Keeps Tab inside the viewer: its bar, its panel, and the toasts above. */

const focusableSelector = 'a[href], button, input, select, textarea, summary, [tabindex]';

/**
 * Moves the focus from the last element to the first and back. PhotoSwipe cannot go backwards from the first
 * element.
 */
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
  // Between the first and last element of a part, the browser moves the focus.
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
