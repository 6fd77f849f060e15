/** The account page: email address, data export and account deletion. */
import { type ChangeEvent, type FormEvent, useState } from 'react';
import type { CurrentUser } from '../api/types.ts';
import { useSite } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { createFieldErrorLookup, Field, Form } from '../ui/form.tsx';
import { PasswordField } from './password-field.tsx';
import { useChangeEmail, useDeleteAccount } from './queries.ts';
import styles from './settings.module.css';
import { SettingsPage, SettingsSection } from './settings.tsx';
import { RequireAccountPassword } from './with-password.tsx';

export function AccountPage() {
  return (
    <SettingsPage at="/settings/account">
      {(user) => (
        <>
          <SettingsSection title={t('email')} text={t('settingsCurrentEmail', { email: user.email })}>
            <RequireAccountPassword user={user}>
              <EmailForm />
            </RequireAccountPassword>
          </SettingsSection>
          <ConfirmEmailNotice user={user} />
          <SettingsSection title={t('settingsExport')} text={t('settingsExportText')}>
            <div className={styles.actions}>
              <a className="button quiet" href="/api/auth/export" download>
                {t('settingsExportDownload')}
              </a>
            </div>
          </SettingsSection>
          <SettingsSection title={t('settingsImport')} text={t('settingsImportText')}>
            <div className={styles.actions}>
              <ButtonLink className="quiet" to="/import">
                {t('settingsImport')}
              </ButtonLink>
            </div>
          </SettingsSection>
          <SettingsSection title={t('settingsDelete')} text={t('settingsDeleteText')}>
            <DeleteAccountForm user={user} />
          </SettingsSection>
        </>
      )}
    </SettingsPage>
  );
}

/** Sends a confirmation link. An OpenID sign-in finds an account only by a confirmed email address. */
function ConfirmEmailNotice({ user }: { user: CurrentUser }) {
  const change = useChangeEmail();
  const isMailed = useSite()?.mail === true;
  const { email } = user;
  if (!isMailed || user.email_confirmed) return null;
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>) =>
    change.mutate({ email, password: String(new FormData(currentTarget).get('password')) });
  return (
    <SettingsSection title={t('settingsEmailConfirm')} text={t('settingsEmailConfirmText', { email })}>
      <RequireAccountPassword user={user}>
        <Form
          key={String(change.isSuccess)}
          onSubmit={submit}
          error={change.error}
          isBusy={change.isPending}
          action={t('settingsEmailConfirmSend')}
          done={change.isSuccess && t('settingsEmailConfirmSent', { email })}
        >
          <PasswordField problem={createFieldErrorLookup(change.error)('password')} />
        </Form>
      </RequireAccountPassword>
    </SettingsSection>
  );
}

function EmailForm() {
  const change = useChangeEmail();
  const isMailed = useSite()?.mail === true;
  // A new React key empties the form after success.
  const [changes, setChanges] = useState(0);
  const findProblem = createFieldErrorLookup(change.error);
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const form = new FormData(currentTarget);
    const given = { email: String(form.get('email')).trim(), password: String(form.get('password')) };
    change.mutate(given, { onSuccess: () => setChanges((count) => count + 1) });
  };
  return (
    <Form
      key={changes}
      onSubmit={submit}
      error={change.error}
      isBusy={change.isPending}
      action={t('settingsEmailChange')}
      done={change.isSuccess && t(isMailed ? 'settingsEmailSent' : 'settingsEmailDone')}
    >
      <Field
        name="email"
        label={t('settingsNewEmail')}
        problem={findProblem('email')}
        type="email"
        autoComplete="email"
      />
      <PasswordField problem={findProblem('password')} />
    </Form>
  );
}

/** Deletes the account. A user without a password types the username, in a session that has just begun. */
function DeleteAccountForm({ user }: { user: CurrentUser }) {
  const leave = useDeleteAccount();
  const site = useSite();
  const [proof, setProof] = useState('');
  const hasPassword = user.has_password && site?.sign_in.password !== false;
  const kind = hasPassword ? 'password' : 'username';
  const field = {
    problem: createFieldErrorLookup(leave.error)(kind),
    value: proof,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => setProof(target.value),
  };
  const oidc = site?.sign_in.oidc;
  return (
    <Form
      onSubmit={() => {}}
      error={leave.error}
      isBusy={leave.isPending}
      end={
        <ConfirmButton
          label={t('settingsDeleteAction')}
          question={t('settingsDeleteQuestion')}
          isBusy={leave.isPending}
          onConfirm={() => leave.mutate({ [kind]: proof })}
        />
      }
    >
      {hasPassword ? (
        <PasswordField {...field} />
      ) : (
        <>
          <p className={styles.text}>
            {t('settingsDeleteSignIn')}{' '}
            {oidc && <a href="/api/auth/oidc?to=/settings/account">{t('signIn')}</a>}
          </p>
          <Field name="username" label={t('username')} autoComplete="off" {...field} />
        </>
      )}
    </Form>
  );
}
