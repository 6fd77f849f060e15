/** The security page: password, sessions and other sign-in methods. */
import { lazy, Suspense } from 'react';
import { useSite } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import styles from '../settings/settings.module.css';
import { SettingsPage, SettingsSection } from '../settings/settings.tsx';
import { LoadOnClick } from '../ui/on-request.tsx';
import { Passkeys } from './passkeys.tsx';
import { SecondFactor } from './second-factor.tsx';

/** The list of sessions is below the first screen, so its script is loaded later. */
const Sessions = lazy(async () => ({ default: (await import('./sessions.tsx')).Sessions }));
/** The script is loaded only in galleries with an OpenID provider. */
const LinkedProvider = lazy(async () => ({
  default: (await import('./linked-provider.tsx')).LinkedProvider,
}));
const NoPasswordCard = lazy(async () => ({ default: (await import('./no-password.tsx')).NoPasswordCard }));

export function SecurityPage() {
  const provider = useSite()?.sign_in.oidc;
  return (
    <SettingsPage at="/settings/security">
      {(user) => (
        <>
          <SettingsSection
            id="password"
            title={t('password')}
            text={t(user.has_password ? 'passwordText' : 'passwordNone')}
          >
            {user.has_password ? (
              <LoadOnClick label={t('passwordChange')} load={loadForm}>
                {({ PasswordForm }) => <PasswordForm username={user.username} />}
              </LoadOnClick>
            ) : (
              <Suspense>
                <NoPasswordCard email={user.email} />
              </Suspense>
            )}
          </SettingsSection>
          <SecondFactor user={user} />
          <Passkeys user={user} />
          {provider && (
            <Suspense>
              <LinkedProvider provider={provider} user={user} />
            </Suspense>
          )}
          <SettingsSection title={t('sessionsTitle')} text={t('sessionsText')}>
            <Suspense fallback={<p className={styles.text}>{t('loading')}</p>}>
              <Sessions />
            </Suspense>
          </SettingsSection>
        </>
      )}
    </SettingsPage>
  );
}

const loadForm = () => import('./password-form.tsx');
