/** A person in a list, with a button to follow. */
import { Link } from '@tanstack/react-router';
import type { FollowedUser } from '../api/types.ts';
import { Avatar } from '../auth/avatar.tsx';
import { FollowButton } from './follow-button.tsx';
import styles from './follows.module.css';

export function PersonItem({ person, isOffered }: { person: FollowedUser; isOffered: boolean }) {
  const { username, nickname, is_following } = person;
  const shown = nickname || username;
  return (
    <li className={styles.person}>
      <Link to="/users/$name" params={{ name: username }}>
        <Avatar user={person} size={48} />
        <span>
          <bdi>{shown}</bdi>
          <small>@{username}</small>
        </span>
      </Link>
      {isOffered && <FollowButton name={username} isFollowing={is_following} of={shown} />}
    </li>
  );
}
