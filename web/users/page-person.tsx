/**
 * The profile: a person's details, and the photos as a wall. The user's own profile includes private photos.
 */
import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { Images } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import type { UserProfile } from '../api/types.ts';
import { useUser } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { createGalleryPhotoList } from '../photos/queries.ts';
import { Wall } from '../photos/wall/wall.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Page, useTitle } from '../ui/page.tsx';
import { useDropHint } from '../ui/use-drop-hint.ts';
import { PersonHead } from './person-head.tsx';
import { personQuery } from './queries.ts';

export function PersonPage() {
  const { name } = useParams({ from: '/users/$name' });
  const { data, error, refetch } = useQuery(personQuery(name));
  if (data) return <PersonProfile key={data.id} person={data} name={name} />;
  return (
    <Page title={t('people')}>
      {error && <ErrorNotice as="h1" error={error} retry={() => void refetch()} />}
    </Page>
  );
}

function PersonProfile({ person, name }: { person: UserProfile; name: string }) {
  const shown = person.nickname || person.username;
  const isMe = useUser()?.id === person.id;
  const list = useMemo(() => createGalleryPhotoList({ user_id: person.id }), [person.id]);
  const getHref = useCallback((id: number) => `/users/${name}/photos/${id}`, [name]);
  const ownText = useDropHint(t('noPhotosOwnText'));
  useTitle(shown);
  const empty = (
    <Card
      title={t('noPhotos')}
      text={isMe ? ownText : t('noPhotosOfPerson', { name: shown })}
      icon={<Images size={32} strokeWidth={1.5} />}
    />
  );
  return (
    <Wall
      {...{ list, getHref, empty }}
      title={shown}
      href={`/users/${name}`}
      head={<PersonHead person={person} name={name} />}
    >
      <Outlet />
    </Wall>
  );
}
