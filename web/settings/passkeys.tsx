/** Passkeys: added with a name and the password, removed. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Passkey } from '../api/types.ts';
import { canUsePasskeys } from '../auth/passkeys.ts';
import { useSite } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { AskTwice } from '../ui/ask-twice.tsx';
import { Field, Form, fieldErrorOf } from '../ui/form.tsx';
import { agoText, dateText } from '../ui/time.ts';
import { Trouble, textOf } from '../ui/trouble.tsx';
import { deviceOf } from './devices.ts';
import { passkeysQuery, useAddPasskey, useDeletePasskey } from './queries.ts';
import styles from './settings.module.css';
import { Item, List, Section } from './settings.tsx';

export function Passkeys({ username }: { username: string }) {
  const isOffered = useSite()?.sign_in.passkey === true;
  return (
    <Section title={t('settingsPasskeys')} text={t('settingsPasskeysText')}>
      <Added />
      {isOffered && canUsePasskeys() ? (
        <NewPasskey username={username} />
      ) : (
        <p className={styles.text}>{t('settingsPasskeysUnable')}</p>
      )}
    </Section>
  );
}

function Added() {
  const { data: passkeys, error, refetch } = useQuery(passkeysQuery);
  const remove = useDeletePasskey();
  if (error) return <Trouble error={error} retry={() => void refetch()} />;
  if (!passkeys) return <p className={styles.text}>{t('loading')}</p>;
  if (passkeys.length === 0) return <p className={styles.text}>{t('settingsPasskeysNone')}</p>;
  return (
    <>
      <List>
        {passkeys.map((passkey) => (
          <Item
            key={passkey.id}
            title={passkey.name}
            mark={passkey.is_synced && t('settingsPasskeySynced')}
            facts={factsOf(passkey)}
          >
            <AskTwice
              label={t('delete')}
              question={t('settingsPasskeyRemove', { name: passkey.name })}
              isBusy={remove.variables === passkey.id && remove.isPending}
              onConfirm={() => remove.mutate(passkey.id)}
            />
          </Item>
        ))}
      </List>
      {remove.error && (
        <p className={styles.problem} role="alert">
          {textOf(remove.error)}
        </p>
      )}
    </>
  );
}

function factsOf({ create_time, last_used_time }: Passkey): string[] {
  return [
    t('settingsPasskeyMade', { time: dateText(create_time) }),
    last_used_time === '' ? t('settingsKeyUnused') : t('settingsUsed', { time: agoText(last_used_time) }),
  ];
}

function NewPasskey({ username }: { username: string }) {
  const add = useAddPasskey();
  // A form with another key is an empty one.
  const [added, setAdded] = useState(0);
  const problemOf = fieldErrorOf(add.error);
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const form = new FormData(currentTarget);
    add.mutate(
      { name: String(form.get('name')).trim(), password: String(form.get('password')) },
      { onSuccess: () => setAdded((count) => count + 1) },
    );
  };
  return (
    <Form
      key={added}
      onSubmit={submit}
      error={add.error}
      isBusy={add.isPending}
      action={t('settingsPasskeyAdd')}
      done={add.isSuccess && t('settingsPasskeyAdded', { name: add.data.name })}
    >
      {/* For managers of passwords: whose it is. */}
      <input type="hidden" name="username" autoComplete="username" value={username} />
      <Field
        name="name"
        label={t('settingsPasskeyName')}
        problem={problemOf('name')}
        defaultValue={deviceOf(navigator.userAgent)}
        maxLength={50}
        autoComplete="off"
      />
      <Field
        name="password"
        label={t('settingsPasswordOld')}
        problem={problemOf('password') ?? problemOf('response')}
        type="password"
        maxLength={1024}
        autoComplete="current-password"
      />
    </Form>
  );
}
