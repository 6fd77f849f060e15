/** Opens the list of shortcuts on `?` or from the account menu. The script is loaded on first use. */

import { type ReactNode, useCallback, useState } from 'react';
import { loadWithTexts } from '../messages/messages.ts';
import { readKey } from '../ui/keys.ts';
import { useKeydown } from '../ui/use-keydown.ts';
import { useLazyModule } from '../ui/use-loaded.ts';

const loadKeysDialog = loadWithTexts(
  () => import('./keys-dialog.tsx'),
  ...(['keys', 'viewer', 'selection', 'editor', 'arrange', 'admin'] as const),
);

export function useShortcutsHelp(): { open(): void; dialog: ReactNode } {
  const [loaded, begin] = useLazyModule(loadKeysDialog);
  const [isOpen, setOpen] = useState(false);
  const open = useCallback(() => {
    begin();
    setOpen(true);
  }, [begin]);
  useKeydown((event) => {
    if (!isQuestionMark(event) || event.defaultPrevented || event.isComposing) return;
    if (event.ctrlKey || event.metaKey) return;
    if ((event.target as Element).closest('input, textarea, select, [contenteditable]')) return;
    // `?` also works over the viewer, which is not a browser dialog.
    if (document.querySelector('dialog[open], [popover]:popover-open')) return;
    event.preventDefault();
    open();
  });
  return { open, dialog: isOpen && loaded && <loaded.ShortcutsDialog onClose={() => setOpen(false)} /> };
}

/** Returns whether the key is a question mark, also on layouts whose question mark has another shape. */
function isQuestionMark(event: KeyboardEvent): boolean {
  return readKey(event) === '?' || event.key === '؟';
}
