/**
 * A button that creates an account through the OpenID provider, with the invite or setup link of the visitor.
 */
import { LogIn } from 'lucide-react';
import { t } from '../messages/messages.ts';
import { describeError } from '../ui/error-notice.tsx';
import { describeSignInProblem } from './problems.ts';
import { useSite } from './queries.ts';
import { type RegistrationLink, useJoinByProvider } from './sign-in/queries.ts';
import styles from './sign-in.module.css';

interface Props {
  link: RegistrationLink;
  /** Path that opens after registration. */
  to?: string | undefined;
  /** Error from an earlier attempt at the provider. */
  problem: string | undefined;
}

export function JoinByProviderButton({ link, to, problem }: Props) {
  const join = useJoinByProvider();
  const { oidc, password } = useSite()?.sign_in ?? {};
  if (!oidc) return null;
  const told = join.error ? describeError(join.error) : problem && describeSignInProblem(problem);
  return (
    <div className={styles.other}>
      {told && (
        <p className={styles.problem} role="alert">
          {told}
        </p>
      )}
      {password && <span className={styles.or}>{t('signInOr')}</span>}
      <button
        className={password ? 'button quiet' : 'button'}
        type="button"
        aria-busy={join.isPending}
        onClick={() => join.mutate({ ...link, ...(to !== undefined && { to }) })}
      >
        <LogIn size={18} aria-hidden="true" />
        {t('providerSignIn', { name: oidc.name })}
      </button>
    </div>
  );
}
