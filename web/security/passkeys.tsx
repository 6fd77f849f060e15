/** Passkeys: added with a name and the password, removed. */
import { useQuery } from '@tanstack/react-query';
import type { CurrentUser, Passkey } from '../api/types.ts';
import { canUsePasskeys } from '../auth/passkeys.ts';
import { useSite } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { Endable } from '../settings/endable.tsx';
import styles from '../settings/settings.module.css';
import { Section } from '../settings/settings.tsx';
import { WithPassword } from '../settings/with-password.tsx';
import { OnRequest } from '../ui/on-request.tsx';
import { agoText, dateText } from '../ui/time.ts';
import { passkeysQuery, useDeletePasskey } from './queries.ts';

export function Passkeys({ user }: { user: CurrentUser }) {
  const isOffered = useSite()?.sign_in.passkey === true;
  return (
    <Section title={t('passkeysTitle')} text={t('passkeysText')}>
      <Added />
      {isOffered && canUsePasskeys() ? (
        <WithPassword user={user}>
          <OnRequest label={t('passkeyAdd')} load={loadForm}>
            {({ NewPasskey }) => <NewPasskey username={user.username} />}
          </OnRequest>
        </WithPassword>
      ) : (
        <p className={styles.text}>{t('passkeysUnable')}</p>
      )}
    </Section>
  );
}

function Added() {
  return (
    <Endable
      query={useQuery(passkeysQuery)}
      remove={useDeletePasskey()}
      none={t('passkeysNone')}
      question={({ name }) => t('passkeyRemove', { name })}
      markOf={({ is_synced }) => is_synced && t('passkeySynced')}
      factsOf={factsOf}
    />
  );
}

function factsOf({ create_time, last_used_time }: Passkey): string[] {
  return [
    t('passkeyMade', { time: dateText(create_time) }),
    last_used_time === '' ? t('notUsed') : t('used', { time: agoText(last_used_time) }),
  ];
}

const loadForm = () => import('./new-passkey.tsx');
