/** Passkeys: added with a name and the password, removed. */
import { useQuery } from '@tanstack/react-query';
import type { Passkey } from '../api/types.ts';
import { canUsePasskeys } from '../auth/passkeys.ts';
import { useSite } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { AskTwice } from '../ui/ask-twice.tsx';
import { agoText, dateText } from '../ui/time.ts';
import { Trouble, textOf } from '../ui/trouble.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { passkeysQuery, useDeletePasskey } from './queries.ts';
import styles from './settings.module.css';
import { Item, List, Section } from './settings.tsx';

export function Passkeys({ username }: { username: string }) {
  const isOffered = useSite()?.sign_in.passkey === true;
  return (
    <Section title={t('settingsPasskeys')} text={t('settingsPasskeysText')}>
      <Added />
      {isOffered && canUsePasskeys() ? (
        <Adding username={username} />
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

const load = () => import('./new-passkey.tsx');

function Adding({ username }: { username: string }) {
  const [form, begin] = useLoaded(load);
  if (form) return <form.NewPasskey username={username} />;
  return (
    <div className={styles.actions}>
      <button className="button quiet" type="button" onClick={begin}>
        {t('settingsPasskeyAdd')}
      </button>
    </div>
  );
}
