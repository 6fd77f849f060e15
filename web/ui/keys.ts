/** Keys of a page: how they are written, and what they may not be taken from. */

/** `key`: as `KeyboardEvent.key`, in small letters. */
export const formatKey = (key: string): string => (key === 'delete' ? 'Del' : key.toUpperCase());

/** What lies over the page. */
export const overlaySelector = '[role=dialog]:not([popover]), dialog[open], [popover]:popover-open';

/** Whether a key is meant for the page: not typed into a field, and nothing lies over the page. */
export function isMeantForPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return false;
  const at = event.target as Element;
  if (at.closest('input, textarea, select, [contenteditable], [role=dialog], dialog, [popover]'))
    return false;
  // A closed popover is in the page, too.
  return document.querySelector(overlaySelector) === null;
}
