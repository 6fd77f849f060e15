/** `<ShareDialog of={{ type: 'photo', id }} onClose={…} />`, from wherever something is shared: loaded when it is meant. */
import { lazy, Suspense } from 'react';
import { withTexts } from '../messages/messages.ts';
import type { ShareTarget } from './queries.ts';

const load = withTexts(
  () => import('./share-dialog.tsx').then(({ CreateLinkDialog }) => ({ default: CreateLinkDialog })),
  'shares',
);
const CreateLinkDialog = lazy(load);

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
