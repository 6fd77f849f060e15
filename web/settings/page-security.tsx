/** The password, and where one is signed in. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import type { Session } from '../api/types.ts';
import { useSite } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { AskTwice } from '../ui/ask-twice.tsx';
import { Switch } from '../ui/fields.tsx';
import { Field, Form, fieldErrorOf } from '../ui/form.tsx';
import { agoText, dateText } from '../ui/time.ts';
import { Trouble, textOf } from '../ui/trouble.tsx';
import { deviceOf } from './devices.ts';
import { Passkeys } from './passkeys.tsx';
import { sessionsQuery, useChangePassword, useEndSession } from './queries.ts';
import { SecondFactor } from './second-factor.tsx';
import styles from './settings.module.css';
import { Item, List, Section, Settings } from './settings.tsx';

/** Only galleries that have a provider pay for it. */
const Elsewhere = lazy(async () => ({ default: (await import('./elsewhere.tsx')).Elsewhere }));

export function SecurityPage() {
  const provider = useSite()?.sign_in.oidc;
  return (
    <Settings title={t('settingsSecurity')}>
      {(user) => (
        <>
          <Section title={t('settingsPassword')} text={t('settingsPasswordText')}>
            <PasswordForm username={user.username} />
          </Section>
          <SecondFactor />
          <Passkeys username={user.username} />
          {provider && (
            <Suspense>
              <Elsewhere provider={provider} />
            </Suspense>
          )}
          <Section title={t('settingsSessions')} text={t('settingsSessionsText')}>
            <Sessions />
          </Section>
        </>
      )}
    </Settings>
  );
}

function PasswordForm({ username }: { username: string }) {
  const change = useChangePassword();
  // A form with another key is an empty one.
  const [changes, setChanges] = useState(0);
  const problemOf = fieldErrorOf(change.error);
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const form = new FormData(currentTarget);
    change.mutate(
      {
        old_password: String(form.get('old_password')),
        new_password: String(form.get('new_password')),
        end_keys: form.get('end_keys') === 'on',
      },
      { onSuccess: () => setChanges((count) => count + 1) },
    );
  };
  const left = change.data ?? 0;
  return (
    <Form
      key={changes}
      onSubmit={submit}
      error={change.error}
      isBusy={change.isPending}
      action={t('settingsPasswordChange')}
      done={
        change.isSuccess &&
        (left > 0 ? t('settingsPasswordKeys', { count: left }) : t('settingsPasswordDone'))
      }
    >
      {/* For managers of passwords: whose it is. */}
      <input type="hidden" name="username" autoComplete="username" value={username} />
      <Field
        name="old_password"
        label={t('settingsPasswordOld')}
        problem={problemOf('old_password')}
        type="password"
        maxLength={1024}
        autoComplete="current-password"
      />
      <Field
        name="new_password"
        label={t('settingsPasswordNew')}
        hint={t('passwordHint')}
        problem={problemOf('new_password')}
        type="password"
        minLength={6}
        maxLength={128}
        autoComplete="new-password"
      />
      <Switch name="end_keys" label={t('settingsPasswordEndKeys')} />
    </Form>
  );
}

function Sessions() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery);
  const end = useEndSession();
  if (error) return <Trouble error={error} retry={() => void refetch()} />;
  if (!sessions) return <p className={styles.text}>{t('loading')}</p>;
  const others = sessions.filter(({ is_current }) => !is_current);
  return (
    <>
      <List>
        {sessions.map((session) => (
          <SessionItem
            key={session.id}
            session={session}
            end={() => end.mutate(session.id)}
            isBusy={end.variables === session.id && end.isPending}
          />
        ))}
      </List>
      {end.error && (
        <p className={styles.problem} role="alert">
          {textOf(end.error)}
        </p>
      )}
      {others.length > 1 && (
        <div className={styles.actions}>
          <AskTwice
            label={t('settingsSessionsEnd')}
            question={t('settingsSessionsEndAll', { count: others.length })}
            isBusy={end.variables === 'others' && end.isPending}
            onConfirm={() => end.mutate('others')}
          />
        </div>
      )}
    </>
  );
}

interface SessionProps {
  session: Session;
  isBusy: boolean;
  end(): void;
}

function SessionItem({ session, isBusy, end }: SessionProps) {
  const { user_agent, ip, is_current, create_time, last_used_time } = session;
  const device = deviceOf(user_agent) || t('settingsDeviceUnknown');
  return (
    <Item
      title={device}
      mark={is_current && t('settingsSessionThis')}
      facts={[
        !is_current && t('settingsUsed', { time: agoText(last_used_time) }),
        t('settingsSignedIn', { time: dateText(create_time) }),
        ip,
      ]}
    >
      {!is_current && (
        <AskTwice
          label={t('signOut')}
          question={t('settingsSessionEnd', { name: device })}
          isBusy={isBusy}
          onConfirm={end}
        />
      )}
    </Item>
  );
}
