/** A button that follows or unfollows a person. */
import { UserCheck, UserPlus } from 'lucide-react';
import { t } from '../messages/messages.ts';
import { describeError } from '../ui/error-notice.tsx';
import { useFollow } from './queries.ts';

interface Props {
  /** Username in API calls. */
  name: string;
  isFollowing: boolean;
  /** Name for the button's label, if the page shows several people. Then no button is the main one. */
  of?: string;
}

export function FollowButton({ name, isFollowing, of }: Props) {
  const follow = useFollow(name);
  const Icon = isFollowing ? UserCheck : UserPlus;
  const label = t(isFollowing ? 'followed' : 'follow');
  return (
    <>
      <button
        className={isFollowing || of ? 'button quiet' : 'button'}
        type="button"
        aria-label={of && `${label}: ${of}`}
        onClick={() => follow.mutate(!isFollowing)}
      >
        <Icon size={18} aria-hidden="true" />
        {label}
      </button>
      {follow.error && <p role="alert">{describeError(follow.error)}</p>}
    </>
  );
}
