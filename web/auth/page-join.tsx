/** The page that an invite link opens. */
import { useParams, useSearch } from '@tanstack/react-router';
import { RegistrationForm } from './new-account.tsx';

export function JoinByInvitePage() {
  const { token } = useParams({ from: '/join/$token' });
  const { problem } = useSearch({ from: '/join/$token' });
  return <RegistrationForm invite={token} to={undefined} problem={problem} />;
}
