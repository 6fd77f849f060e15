/** A person: who they are, and their photos as a wall. One's own page has the private ones, too. */
import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { Images } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import type { UserHome } from '../api/types.ts';
import { useUser } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { listOf } from '../photos/queries.ts';
import { Wall } from '../photos/wall/wall.tsx';
import { Card } from '../ui/card.tsx';
import { Page, useTitle } from '../ui/page.tsx';
import { Trouble } from '../ui/trouble.tsx';
import { PersonHead } from './person-head.tsx';
import { personOf } from './queries.ts';

export function PersonPage() {
  const { name } = useParams({ from: '/users/$name' });
  const { data, error, refetch } = useQuery(personOf(name));
  if (data) return <Person key={data.id} person={data} name={name} />;
  return (
    <Page title={t('people')}>{error && <Trouble as="h1" error={error} retry={() => void refetch()} />}</Page>
  );
}

function Person({ person, name }: { person: UserHome; name: string }) {
  const shown = person.nickname || person.username;
  const isMe = useUser()?.id === person.id;
  const list = useMemo(() => listOf({ user_id: person.id }), [person.id]);
  const hrefOf = useCallback((id: number) => `/users/${name}/photos/${id}`, [name]);
  useTitle(shown);
  const empty = (
    <Card
      title={t('emptyTitle')}
      text={isMe ? t('emptyOwnText') : t('emptyPersonText', { name: shown })}
      icon={<Images size={32} strokeWidth={1.5} />}
    />
  );
  return (
    <Wall
      {...{ list, hrefOf, empty }}
      title={shown}
      href={`/users/${name}`}
      head={<PersonHead person={person} name={name} />}
    >
      <Outlet />
    </Wall>
  );
}
