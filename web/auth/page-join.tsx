/** The page that an invite link opens. */
import { useParams, useSearch } from '@tanstack/react-router';
import { NewAccount } from './new-account.tsx';

export function JoinPage() {
  const { token } = useParams({ from: '/join/$token' });
  const { problem } = useSearch({ from: '/join/$token' });
  return <NewAccount invite={token} to={undefined} problem={problem} />;
}
