/** A way to sign in that comes back to where one is. */
import { Link, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export function SignInLink({ children }: { children: ReactNode }) {
  const here = useRouterState({ select: ({ location }) => location.href });
  return (
    <Link to="/sign-in" search={{ to: here }}>
      {children}
    </Link>
  );
}
