/** The password, and where one is signed in. */
import { lazy, Suspense } from 'react';
import { useSite } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import styles from '../settings/settings.module.css';
import { Section, Settings } from '../settings/settings.tsx';
import { OnRequest } from '../ui/on-request.tsx';
import { Passkeys } from './passkeys.tsx';
import { SecondFactor } from './second-factor.tsx';

/** Below what is seen first. */
const Sessions = lazy(async () => ({ default: (await import('./sessions.tsx')).Sessions }));
/** Only galleries that have a provider pay for it. */
const Elsewhere = lazy(async () => ({ default: (await import('./elsewhere.tsx')).Elsewhere }));
const NoPassword = lazy(async () => ({ default: (await import('./no-password.tsx')).NoPassword }));

export function SecurityPage() {
  const provider = useSite()?.sign_in.oidc;
  return (
    <Settings at="/settings/security">
      {(user) => (
        <>
          <Section
            id="password"
            title={t('password')}
            text={t(user.has_password ? 'passwordText' : 'passwordNone')}
          >
            {user.has_password ? (
              <OnRequest label={t('passwordChange')} load={loadForm}>
                {({ PasswordForm }) => <PasswordForm username={user.username} />}
              </OnRequest>
            ) : (
              <Suspense>
                <NoPassword email={user.email} />
              </Suspense>
            )}
          </Section>
          <SecondFactor user={user} />
          <Passkeys user={user} />
          {provider && (
            <Suspense>
              <Elsewhere provider={provider} user={user} />
            </Suspense>
          )}
          <Section title={t('sessionsTitle')} text={t('sessionsText')}>
            <Suspense fallback={<p className={styles.text}>{t('loading')}</p>}>
              <Sessions />
            </Suspense>
          </Section>
        </>
      )}
    </Settings>
  );
}

const loadForm = () => import('./password-form.tsx');
