/** The registration page. The new account is signed in at once. */
import { useSearch } from '@tanstack/react-router';
import { NewAccount } from './new-account.tsx';

export function RegisterPage() {
  const { to } = useSearch({ from: '/register' });
  return <NewAccount to={to} />;
}
