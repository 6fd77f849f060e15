/** The trash page: deleted photos with the days until they are purged, to look at, restore or purge. */
import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useUser } from '../auth/queries.ts';
import { SignInRequired } from '../auth/sign-in-required.tsx';
import { loadWithTexts, t } from '../messages/messages.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { useTitle } from '../ui/page.tsx';
import { useLazyModule } from '../ui/use-loaded.ts';
import { WallHead } from '../ui/wall-head.tsx';
import { photoPageQuery, trashList } from './queries.ts';
import { describeRetention } from './retention.ts';
import { Wall } from './wall/wall.tsx';

const trashHref = (id: number) => `/trash/photos/${id}`;
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
        <Card title={t('trashIsEmpty')} text={t('trashText')} icon={<Trash2 size={32} strokeWidth={1.5} />}>
          <ButtonLink to="/">{t('goToPhotos')}</ButtonLink>
        </Card>
      }
    >
      <Outlet />
    </Wall>
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
