/** Sign-in methods beside the password, and the error of an earlier attempt at the OpenID provider. */
import { useSearch } from '@tanstack/react-router';
import type { Site } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { describeSignInProblem } from './problems.ts';
import { usePasskeySignIn } from './sign-in/queries.ts';
import styles from './sign-in.module.css';
import { hasPasskeys, SignInMethods } from './sign-in-methods.tsx';
import { useGoAfterSignIn } from './use-go-after-sign-in.ts';

interface Props {
  site: Site;
  /** Path that opens after signing in. */
  to: string | undefined;
}

export function OtherSignInMethods({ site, to }: Props) {
  const { problem } = useSearch({ from: '/sign-in' });
  const passkey = usePasskeySignIn();
  const arrive = useGoAfterSignIn();
  const { password, oidc } = site.sign_in;
  return (
    <div className={styles.other}>
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {describeSignInProblem(problem)}
        </p>
      )}
      {password && (oidc || hasPasskeys(site)) && <span className={styles.or}>{t('signInOr')}</span>}
      <SignInMethods site={site} to={to} passkey={passkey} onDone={() => arrive(to)} />
    </div>
  );
}
