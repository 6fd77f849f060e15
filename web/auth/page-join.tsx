/** Where the link of an invite leads. */
import { useParams } from '@tanstack/react-router';
import { NewAccount } from './new-account.tsx';

export function JoinPage() {
  const { token } = useParams({ from: '/join/$token' });
  return <NewAccount invite={token} to={undefined} />;
}
