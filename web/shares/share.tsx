/** `<ShareDialog of={{ type: 'photo', id }} onClose={…} />`, from wherever something is shared: loaded when it is meant. */
import { lazy, Suspense } from 'react';
import { withTexts } from '../messages/messages.ts';
import type { Shareable } from './queries.ts';

const load = withTexts(
  () => import('./share-dialog.tsx').then(({ LinkDialog }) => ({ default: LinkDialog })),
  'shares',
);
const LinkDialog = lazy(load);

interface Props {
  of: Shareable;
  onClose(): void;
}

export function ShareDialog(props: Props) {
  return (
    <Suspense>
      <LinkDialog {...props} />
    </Suspense>
  );
}
