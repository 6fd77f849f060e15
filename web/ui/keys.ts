/** Helpers for keyboard shortcuts: their labels, and when a key belongs to the page. */

/** Returns the label of a key. `key` is a `KeyboardEvent.key` in lower case. */
export const formatKey = (key: string): string => (key === 'delete' ? 'Del' : key.toUpperCase());

/** Characters of a key without a Latin letter: Cyrillic, Greek, Arabic, Hebrew and other layouts. */
const foreignText = /^[^\p{ASCII}\p{Script=Latin}]+$/u;

/**
 * Returns `KeyboardEvent.key` in lower case. A key of a layout without Latin letters counts by its place on the
 * keyboard, so that shortcuts work in every layout.
 */
export function readKey({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string {
  if (!foreignText.test(key)) return key.toLowerCase();
  if (code === 'Slash') return shiftKey ? '?' : '/';
  return /^(?:Key([A-Z])|Digit(\d))$/.exec(code)?.slice(1).join('').toLowerCase() || key;
}

/** Returns the rating of a digit key, also with Shift and on the number pad, or undefined for other keys. */
export function readRatingKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): number | undefined {
  // A number pad without Num Lock sends arrows. The digits of a French keyboard need Shift, so their place counts.
  const digit =
    /^Digit([0-5])$/.exec(code)?.[1] ?? (code.startsWith('Digit') ? undefined : /^[0-5]$/.exec(key)?.[0]);
  return digit === undefined ? undefined : Number(digit);
}

/** Matches open dialogs and popovers. */
export const overlaySelector = '[role=dialog]:not([popover]), dialog[open], [popover]:popover-open';

/** Returns whether a key is meant for the page: no field has the focus, and no dialog or popover is open. */
export function isKeyForPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return false;
  const at = event.target as Element;
  if (at.closest('input, textarea, select, [contenteditable], [role=dialog], dialog, [popover]'))
    return false;
  // The selector must not match closed popovers, which are also in the document.
  return document.querySelector(overlaySelector) === null;
}
