/** Signing in elsewhere: whether the account is connected with the gallery's OpenID provider. */
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { t } from '../messages/messages.ts';
import { Form, fieldErrorOf } from '../ui/form.tsx';
import { PasswordField } from './password-field.tsx';
import { oidcQuery, useConnect, useDisconnect } from './queries.ts';
import styles from './settings.module.css';
import { Section } from './settings.tsx';

export function Elsewhere({ provider: { name } }: { provider: { name: string } }) {
  const { problem } = useSearch({ from: '/settings/security' });
  const { data: link } = useQuery(oidcQuery);
  const connect = useConnect();
  const disconnect = useDisconnect();
  if (!link) return null;
  const act = link.is_linked ? disconnect : connect;
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>) =>
    act.mutate(String(new FormData(currentTarget).get('password')));
  return (
    <Section
      title={name}
      text={t(link.is_linked ? 'settingsConnectedText' : 'settingsConnectText', { name })}
    >
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {t('settingsConnectFailed')}
        </p>
      )}
      <Form
        onSubmit={submit}
        error={act.error}
        isBusy={act.isPending}
        action={t(link.is_linked ? 'settingsDisconnect' : 'settingsConnect')}
      >
        <PasswordField problem={fieldErrorOf(act.error)('password')} />
      </Form>
    </Section>
  );
}
