/** What was deleted, with the days that it is kept: to restore, to delete for good, or to empty. */

import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { PhotoItem } from '../api/types.ts';
import { useUser } from '../auth/queries.ts';
import { SignInFirst } from '../auth/sign-in-first.tsx';
import { t, withTexts } from '../messages/messages.ts';
import { Card } from '../ui/card.tsx';
import { useTitle } from '../ui/page.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { WallHead } from '../ui/wall-head.tsx';
import { type PhotoList, pageOf } from './queries.ts';
import { Wall } from './wall/wall.tsx';

const trash: PhotoList = { path: '/api/trash', query: {} };
const keptDays = 30;
const dayMs = 86_400_000;
const hrefOf = () => '/trash';
const loadEmpty = withTexts(() => import('../selection/empty-trash.tsx'), 'selection');

export function TrashPage() {
  const user = useUser();
  useTitle(t('trash'));
  if (!user) return <SignInFirst title={t('trash')} />;
  return (
    <Wall
      {...{ list: trash, hrefOf, noteOf }}
      href="/trash"
      title={t('trash')}
      head={<TrashHead />}
      empty={
        <Card title={t('trashEmpty')} text={t('trashText')} icon={<Trash2 size={32} strokeWidth={1.5} />} />
      }
      isOnlyPicked
    />
  );
}

function TrashHead() {
  const total = useQuery(pageOf(trash, 1)).data?.pagination.total ?? 0;
  const [isAsked, setAsked] = useState(false);
  const [dialog, begin] = useLoaded(loadEmpty);
  return (
    <WallHead title={t('trash')}>
      {total > 0 && (
        <>
          <p>{t('trashKept')}</p>
          <button
            className="button quiet"
            type="button"
            onFocus={begin}
            onPointerEnter={begin}
            onClick={() => {
              begin();
              setAsked(true);
            }}
          >
            {t('trashClear')}
          </button>
        </>
      )}
      {isAsked && dialog && <dialog.EmptyTrash list={trash} total={total} onClose={() => setAsked(false)} />}
    </WallHead>
  );
}

/** How long it is kept. The API's times are of UTC. */
function noteOf(photo: PhotoItem): string {
  const { delete_time } = photo as PhotoItem & { delete_time: string };
  const deleted = Date.parse(`${delete_time.replace(' ', 'T')}Z`);
  const left = Math.ceil((deleted + keptDays * dayMs - Date.now()) / dayMs);
  return t('trashDays', { count: Math.min(keptDays, Math.max(0, left)) });
}
