/** The trash page: deleted photos with the days until they are purged, to restore or purge. */

import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { PhotoItem } from '../api/types.ts';
import { useUser } from '../auth/queries.ts';
import { SignInRequired } from '../auth/sign-in-required.tsx';
import { loadWithTexts, t } from '../messages/messages.ts';
import { Card } from '../ui/card.tsx';
import { useTitle } from '../ui/page.tsx';
import { useLazyModule } from '../ui/use-loaded.ts';
import { WallHead } from '../ui/wall-head.tsx';
import { type PhotoList, photoPageQuery } from './queries.ts';
import { Wall } from './wall/wall.tsx';

const trashList: PhotoList = { path: '/api/trash', query: {} };
const retentionDays = 30;
const dayMs = 86_400_000;
const trashHref = () => '/trash';
const loadEmpty = loadWithTexts(() => import('../selection/empty-trash.tsx'), 'selection');

export function TrashPage() {
  const user = useUser();
  useTitle(t('trash'));
  if (!user) return <SignInRequired title={t('trash')} />;
  return (
    <Wall
      {...{ list: trashList, getHref: trashHref, getNote: describeRetention }}
      href="/trash"
      title={t('trash')}
      head={<TrashHead />}
      empty={
        <Card title={t('trashIsEmpty')} text={t('trashText')} icon={<Trash2 size={32} strokeWidth={1.5} />} />
      }
      isOnlyPicked
    />
  );
}

function TrashHead() {
  const total = useQuery(photoPageQuery(trashList, 1)).data?.pagination.total ?? 0;
  const [isAsked, setAsked] = useState(false);
  const [dialog, begin] = useLazyModule(loadEmpty);
  return (
    <WallHead title={t('trash')}>
      {total > 0 && (
        <>
          <p>{t('trashExpires')}</p>
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
            {t('emptyTrash')}
          </button>
        </>
      )}
      {isAsked && dialog && (
        <dialog.EmptyTrashDialog list={trashList} total={total} onClose={() => setAsked(false)} />
      )}
    </WallHead>
  );
}

/** Returns how long the photo stays in the trash. API times are UTC. */
function describeRetention(photo: PhotoItem): string {
  const { delete_time } = photo as PhotoItem & { delete_time: string };
  const deleted = Date.parse(`${delete_time.replace(' ', 'T')}Z`);
  const left = Math.ceil((deleted + retentionDays * dayMs - Date.now()) / dayMs);
  return t('trashDaysLeft', { count: Math.min(retentionDays, Math.max(0, left)) });
}
