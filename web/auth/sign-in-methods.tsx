/** Sign-in methods beside the password: the OpenID provider and passkeys. */
import type { UseMutationResult } from '@tanstack/react-query';
import { KeyRound, LogIn } from 'lucide-react';
import type { Site } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { describeError } from '../ui/error-notice.tsx';
import { canUsePasskeys } from './passkeys.ts';
import styles from './sign-in.module.css';

export const hasPasskeys = ({ sign_in }: Site): boolean => sign_in.passkey && canUsePasskeys();

interface Props<Result> {
  site: Site;
  /** Path of the gallery that opens on return from the provider. */
  to: string | undefined;
  /** Opens the provider's page in a new tab, so that the current page stays open. */
  isApart?: boolean;
  passkey: UseMutationResult<Result, Error, void>;
  onDone(result: Result): void;
}

export function SignInMethods<Result>({ site, to, isApart, passkey, onDone }: Props<Result>) {
  const { oidc } = site.sign_in;
  return (
    <>
      {oidc && (
        // A normal link, because the server redirects to the provider.
        <a
          className="button quiet"
          href={`/api/auth/oidc${to ? `?to=${encodeURIComponent(to)}` : ''}`}
          {...(isApart && { target: '_blank', rel: 'noopener' })}
        >
          <LogIn size={18} aria-hidden="true" />
          {t('providerSignIn', { name: oidc.name })}
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
