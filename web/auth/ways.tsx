/** Ways to sign in beside a password: by the gallery's provider, with a passkey. */
import type { UseMutationResult } from '@tanstack/react-query';
import { KeyRound, LogIn } from 'lucide-react';
import type { Site } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { describeError } from '../ui/trouble.tsx';
import { canUsePasskeys } from './passkeys.ts';
import styles from './sign-in.module.css';

export const hasPasskeys = ({ sign_in }: Site): boolean => sign_in.passkey && canUsePasskeys();

interface Props<Result> {
  site: Site;
  /** A path of the gallery: where one arrives from the provider. */
  to: string | undefined;
  /** The provider's page leaves this one as it is. */
  isApart?: boolean;
  passkey: UseMutationResult<Result, Error, void>;
  onDone(result: Result): void;
}

export function SignInMethods<Result>({ site, to, isApart, passkey, onDone }: Props<Result>) {
  const { oidc } = site.sign_in;
  return (
    <>
      {oidc && (
        // A way out of the page: the server leads to the provider.
        <a
          className="button quiet"
          href={`/api/auth/oidc${to ? `?to=${encodeURIComponent(to)}` : ''}`}
          {...(isApart && { target: '_blank', rel: 'noopener' })}
        >
          <LogIn size={18} aria-hidden="true" />
          {t('oidcSignIn', { name: oidc.name })}
        </a>
      )}
      {hasPasskeys(site) && (
        <button
          className="button quiet"
          type="button"
          aria-busy={passkey.isPending}
          onClick={() => passkey.mutate(undefined, { onSuccess: onDone })}
        >
          <KeyRound size={18} aria-hidden="true" />
          {t('passkeySignIn')}
        </button>
      )}
      {passkey.error && (
        <p className={styles.problem} role="alert">
          {describeError(passkey.error)}
        </p>
      )}
    </>
  );
}
