/** The list of passkeys: add one with a name and the password, or remove one. */
import { useQuery } from '@tanstack/react-query';
import type { CurrentUser, Passkey } from '../api/types.ts';
import { canUsePasskeys } from '../auth/passkeys.ts';
import { useSite } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { RevocableItemList } from '../settings/revocable-item.tsx';
import styles from '../settings/settings.module.css';
import { SettingsSection } from '../settings/settings.tsx';
import { RequireAccountPassword } from '../settings/with-password.tsx';
import { LoadOnClick } from '../ui/on-request.tsx';
import { formatAgo, formatDate } from '../ui/time.ts';
import { passkeysQuery, useDeletePasskey } from './queries.ts';

export function Passkeys({ user }: { user: CurrentUser }) {
  const isOffered = useSite()?.sign_in.passkey === true;
  return (
    <SettingsSection title={t('passkeysTitle')} text={t('passkeysText')}>
      <PasskeyList />
      {isOffered && canUsePasskeys() ? (
        <RequireAccountPassword user={user}>
          <LoadOnClick label={t('passkeyAdd')} load={loadForm}>
            {({ NewPasskey }) => <NewPasskey username={user.username} />}
          </LoadOnClick>
        </RequireAccountPassword>
      ) : (
        <p className={styles.text}>{t('passkeysUnavailable')}</p>
      )}
    </SettingsSection>
  );
}

function PasskeyList() {
  return (
    <RevocableItemList
      query={useQuery(passkeysQuery)}
      remove={useDeletePasskey()}
      none={t('noPasskeys')}
      question={({ name }) => t('passkeyRemoveQuestion', { name })}
      getMark={({ is_synced }) => is_synced && t('passkeySynced')}
      listFacts={describePasskey}
    />
  );
}

function describePasskey({ create_time, last_used_time }: Passkey): string[] {
  return [
    t('passkeyAddedAt', { time: formatDate(create_time) }),
    last_used_time === '' ? t('notUsedYet') : t('lastUsed', { time: formatAgo(last_used_time) }),
  ];
}

const loadForm = () => import('./new-passkey.tsx');
