/** A link to the sign-in page that returns to the current page. */
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
