/**
 * Opens the share dialog from anywhere; the script is loaded on demand: `<ShareDialog of={{ type: 'photo', id,
 * level }} onClose={…} />`.
 */
import { lazy, Suspense } from 'react';
import { loadWithTexts } from '../messages/messages.ts';
import type { ShareTarget } from './queries.ts';

const loadShareDialog = loadWithTexts(
  () =>
    import('./share-dialog.tsx').then(({ CreateShareLinkDialog }) => ({ default: CreateShareLinkDialog })),
  'shares',
);
const CreateLinkDialog = lazy(loadShareDialog);

interface Props {
  of: ShareTarget;
  onClose(): void;
}

export function ShareDialog(props: Props) {
  return (
    <Suspense>
      <CreateLinkDialog {...props} />
    </Suspense>
  );
}
