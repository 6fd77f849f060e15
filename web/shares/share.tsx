/** Opens the share dialog from anywhere; the script is loaded on demand. */
import { lazy, Suspense } from 'react';
import { loadWithTexts } from '../messages/messages.ts';
import type { ShareDialogProps } from './dialog-props.ts';

const Loaded = lazy(
  loadWithTexts(
    () => import('./share-dialog.tsx').then(({ SharePageDialog }) => ({ default: SharePageDialog })),
    'shares',
  ),
);

export function ShareDialog(props: ShareDialogProps) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
