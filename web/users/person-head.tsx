/** The head of a profile: name, counts and the follow button. */
import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { Share2 } from 'lucide-react';
import { useState } from 'react';
import type { UserProfile } from '../api/types.ts';
import { Avatar } from '../auth/avatar.tsx';
import { userQuery } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { ShareDialog } from '../shares/share.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { LinkedText } from '../ui/linked-text.tsx';
import { FollowButton } from './follow-button.tsx';
import styles from './person-head.module.css';
import { StorageUsage } from './storage.tsx';

interface Props {
  person: UserProfile;
  /** Username in the page's URL. */
  name: string;
}

const freshMs = 60_000;

export function PersonHead({ person, name }: Props) {
  const { stats } = person;
  const user = useQuery({ ...userQuery, staleTime: freshMs }).data;
  const isMe = user?.id === person.id;
  const here = useRouterState({ select: ({ location }) => location.href });
  return (
    <header className={styles.head}>
      <Avatar user={person} size={88} />
      <div className={styles.who}>
        <h1 dir="auto">{person.nickname || person.username}</h1>
        <p className={styles.name}>
          <span>@{person.username}</span>
          {person.is_followed && <span className={styles.follows}>{t('followsYou')}</span>}
        </p>
        {person.bio && (
          <p className={styles.bio} dir="auto">
            <LinkedText text={person.bio} />
          </p>
        )}
        <p className={styles.counts}>
          <span>{t('photosFound', { count: stats.photos })}</span>
          {(stats.albums > 0 || isMe) && (
            <Link to="/users/$name/albums" params={{ name }}>
              {t('albumsCount', { count: stats.albums })}
            </Link>
          )}
          <Link to="/users/$name/followers" params={{ name }}>
            {t('followers', { count: stats.followers })}
          </Link>
          <Link to="/users/$name/following" params={{ name }}>
            {t('followingCount', { count: stats.following })}
          </Link>
          <span>{t('likes', { count: stats.likes })}</span>
        </p>
        {isMe && <StorageUsage user={user} />}
      </div>
      <div className={styles.action}>
        {!isMe && user && <FollowButton name={name} isFollowing={person.is_following} />}
        {!user && (
          <ButtonLink to="/sign-in" search={{ to: here }}>
            {t('signInToFollow')}
          </ButtonLink>
        )}
        {isMe && (
          <ButtonLink to="/settings" className="quiet">
            {t('editProfile')}
          </ButtonLink>
        )}
        <SharePersonButton person={person} />
      </div>
    </header>
  );
}

function SharePersonButton({ person: { username, nickname } }: Pick<Props, 'person'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button className="button quiet" type="button" onClick={() => setOpen(true)}>
        <Share2 size={18} aria-hidden="true" />
        {t('share')}
      </button>
      {isOpen && (
        <ShareDialog
          kind="person"
          name={nickname || username}
          path={`/users/${username}`}
          target={undefined}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
