/** Helpers for keyboard shortcuts: their labels, and when a key belongs to the page. */

/** Returns the label of a key. `key` is a `KeyboardEvent.key` in lower case. */
export const formatKey = (key: string): string => (key === 'delete' ? 'Del' : key.toUpperCase());

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
