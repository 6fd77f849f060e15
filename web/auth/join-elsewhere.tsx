/** The way to a new account over the gallery's provider, with the link that one came by. */
import { LogIn } from 'lucide-react';
import { t } from '../messages/messages.ts';
import { describeError } from '../ui/trouble.tsx';
import { type JoinLink, useJoinByProvider } from './entrance/queries.ts';
import { describeProblem } from './problems.ts';
import { useSite } from './queries.ts';
import styles from './sign-in.module.css';

interface Props {
  link: JoinLink;
  /** Where one goes afterwards. */
  to?: string | undefined;
  /** What came of the way there before. */
  problem: string | undefined;
}

export function JoinByProvider({ link, to, problem }: Props) {
  const join = useJoinByProvider();
  const { oidc, password } = useSite()?.sign_in ?? {};
  if (!oidc) return null;
  const told = join.error ? describeError(join.error) : problem && describeProblem(problem);
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
        {t('oidcSignIn', { name: oidc.name })}
      </button>
    </div>
  );
}
