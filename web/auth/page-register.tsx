/** The registration page. The new account is signed in at once. */
import { useSearch } from '@tanstack/react-router';
import { RegistrationForm } from './new-account.tsx';

export function RegisterPage() {
  const { to } = useSearch({ from: '/register' });
  return <RegistrationForm to={to} />;
}
