/** Shows whether the account is linked to the gallery's OpenID provider. */
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import type { CurrentUser } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { PasswordField } from '../settings/password-field.tsx';
import styles from '../settings/settings.module.css';
import { SettingsSection } from '../settings/settings.tsx';
import { RequireAccountPassword } from '../settings/with-password.tsx';
import { createFieldErrorLookup, Form } from '../ui/form.tsx';
import { providerLinkQuery, useLinkProvider, useUnlinkProvider } from './queries.ts';

interface Props {
  provider: { name: string };
  user: CurrentUser;
}

export function LinkedProvider({ provider: { name }, user }: Props) {
  const { problem } = useSearch({ from: '/settings/security' });
  const { data: link } = useQuery(providerLinkQuery);
  const connect = useLinkProvider();
  const disconnect = useUnlinkProvider();
  if (!link) return null;
  const act = link.is_linked ? disconnect : connect;
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>) =>
    act.mutate(String(new FormData(currentTarget).get('password')));
  return (
    <SettingsSection title={name} text={t(link.is_linked ? 'connectedText' : 'connectText', { name })}>
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {t('connectFailed')}
        </p>
      )}
      <RequireAccountPassword user={user}>
        {/* A new React key empties the form: its password was for the previous action. */}
        <Form
          key={String(link.is_linked)}
          onSubmit={submit}
          error={act.error}
          isBusy={act.isPending}
          action={t(link.is_linked ? 'disconnect' : 'connect')}
        >
          <PasswordField problem={createFieldErrorLookup(act.error)('password')} />
        </Form>
      </RequireAccountPassword>
    </SettingsSection>
  );
}
