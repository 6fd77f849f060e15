/** Ways to sign in beside a password, and what came of the way to a provider and back. */
import { useSearch } from '@tanstack/react-router';
import { KeyRound, LogIn } from 'lucide-react';
import type { Site } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { textOf } from '../ui/trouble.tsx';
import { canUsePasskeys } from './passkeys.ts';
import { problemText } from './problems.ts';
import { usePasskeySignIn } from './queries.ts';
import styles from './sign-in.module.css';
import { useArrive } from './use-arrive.ts';

interface Props {
  site: Site;
  /** Where one goes afterwards. */
  to: string | undefined;
}

export function OtherWays({ site: { sign_in }, to }: Props) {
  const { problem } = useSearch({ from: '/sign-in' });
  const hasPasskeys = sign_in.passkey && canUsePasskeys();
  return (
    <div className={styles.other}>
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {problemText(problem)}
        </p>
      )}
      {sign_in.password && (sign_in.oidc || hasPasskeys) && (
        <span className={styles.or}>{t('signInOr')}</span>
      )}
      {sign_in.oidc && (
        // A way out of the page: the server leads to the provider.
        <a className="button quiet" href={`/api/auth/oidc${to ? `?to=${encodeURIComponent(to)}` : ''}`}>
          <LogIn size={18} aria-hidden="true" />
          {t('oidcSignIn', { name: sign_in.oidc.name })}
        </a>
      )}
      {hasPasskeys && <PasskeyButton to={to} />}
    </div>
  );
}

function PasskeyButton({ to }: { to: string | undefined }) {
  const signIn = usePasskeySignIn();
  const arrive = useArrive();
  return (
    <>
      <button
        className="button quiet"
        type="button"
        aria-busy={signIn.isPending}
        onClick={() => signIn.mutate(undefined, { onSuccess: () => arrive(to) })}
      >
        <KeyRound size={18} aria-hidden="true" />
        {t('passkeySignIn')}
      </button>
      {signIn.error && (
        <p className={styles.problem} role="alert">
          {textOf(signIn.error)}
        </p>
      )}
    </>
  );
}
