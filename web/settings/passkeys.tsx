/** Passkeys: added with a name and the password, removed. */
import { useQuery } from '@tanstack/react-query';
import type { Passkey } from '../api/types.ts';
import { canUsePasskeys } from '../auth/passkeys.ts';
import { useSite } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { agoText, dateText } from '../ui/time.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { Endable } from './endable.tsx';
import { passkeysQuery, useDeletePasskey } from './queries.ts';
import styles from './settings.module.css';
import { Section } from './settings.tsx';

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
  return (
    <Endable
      query={useQuery(passkeysQuery)}
      remove={useDeletePasskey()}
      none={t('settingsPasskeysNone')}
      question={({ name }) => t('settingsPasskeyRemove', { name })}
      markOf={({ is_synced }) => is_synced && t('settingsPasskeySynced')}
      factsOf={factsOf}
    />
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
