/** Keys of a page: what they may not be taken from. */

/** Whether a key is meant for the page: not typed into a field, and nothing lies over the page. */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return false;
  const at = event.target as Element;
  if (at.closest('input, textarea, select, [contenteditable], [role=dialog], dialog, [popover]'))
    return false;
  return document.querySelector('[role=dialog], dialog[open], [popover]:popover-open') === null;
}
