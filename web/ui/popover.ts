/** Of what the browser shows over the page by `popover`. */
import type { FocusEvent } from 'react';

/** Tab leads out of it and on in the page: then it does not cover what has the focus. */
export function closeWhenLeft({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void {
  if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.hidePopover();
}
