/** The card of an empty feed: people whom the user can follow. */
import { useQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import type { User } from '../api/types.ts';
import { useUser } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import styles from './follows.module.css';
import { PersonItem } from './person-item.tsx';
import { personQuery, suggestedPeopleQuery } from './queries.ts';

const maxPeople = 5;

export function FollowSuggestions() {
  const me = useUser();
  const { data } = useQuery(suggestedPeopleQuery(maxPeople + 1));
  const people = (data?.list ?? []).filter(({ id }) => id !== me?.id).slice(0, maxPeople);
  return (
    <Card title={t('noFeed')} text={t('noFeedText')} icon={<Users size={32} strokeWidth={1.5} />}>
      {people.length > 0 && (
        <ul className={styles.people}>
          {people.map((user) => (
            <Suggestion key={user.id} user={user} />
          ))}
        </ul>
      )}
      <ButtonLink className="quiet" to="/explore/people">
        {t('findPeople')}
      </ButtonLink>
    </Card>
  );
}

function Suggestion({ user }: { user: User }) {
  // The list of people does not say whom the user follows.
  const { data } = useQuery(personQuery(user.username));
  return (
    <PersonItem person={{ ...user, is_following: data?.is_following ?? false }} isOffered={Boolean(data)} />
  );
}
