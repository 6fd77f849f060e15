/** The list of keys: `?` anywhere but in a field, and an entry of the account's menu. Loaded when it is first asked for. */
import { type ReactNode, useCallback, useState } from 'react';
import { withTexts } from '../messages/messages.ts';
import { useKeydown } from '../ui/use-keydown.ts';
import { useLazyModule } from '../ui/use-loaded.ts';

const load = withTexts(
  () => import('./keys-dialog.tsx'),
  ...(['keys', 'viewer', 'selection', 'editor', 'arrange', 'admin'] as const),
);

export function useKeysHelp(): { open(): void; dialog: ReactNode } {
  const [loaded, begin] = useLazyModule(load);
  const [isOpen, setOpen] = useState(false);
  const open = useCallback(() => {
    begin();
    setOpen(true);
  }, [begin]);
  useKeydown((event) => {
    if (event.key !== '?' || event.defaultPrevented || event.isComposing) return;
    if (event.ctrlKey || event.metaKey) return;
    if ((event.target as Element).closest('input, textarea, select, [contenteditable]')) return;
    // Also over the viewer, which is no dialog of the browser's.
    if (document.querySelector('dialog[open], [popover]:popover-open')) return;
    event.preventDefault();
    open();
  });
  return { open, dialog: isOpen && loaded && <loaded.KeysDialog onClose={() => setOpen(false)} /> };
}
