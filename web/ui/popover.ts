/** Helpers for elements with the `popover` attribute. */
import type { FocusEvent } from 'react';

/**
 * Closes the popover when Tab moves the focus out, so that the popover does not cover the focused element.
 */
export function closeWhenLeft({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void {
  if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.hidePopover();
}
