/** The list of the user's sessions, each with a button that ends the session. */
import { useQuery } from '@tanstack/react-query';
import type { Session } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import styles from '../settings/settings.module.css';
import { SettingsItem, SettingsList } from '../settings/settings.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { describeError, ErrorNotice } from '../ui/error-notice.tsx';
import { formatAgo, formatDate } from '../ui/time.ts';
import { describeDevice } from './devices.ts';
import { sessionsQuery, useEndSession } from './queries.ts';

export function Sessions() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery);
  const end = useEndSession();
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (!sessions) return <p className={styles.text}>{t('loading')}</p>;
  const others = sessions.filter(({ is_current }) => !is_current);
  return (
    <>
      <SettingsList>
        {sessions.map((session) => (
          <SessionItem
            key={session.id}
            session={session}
            end={() => end.mutate(session.id)}
            isBusy={end.variables === session.id && end.isPending}
          />
        ))}
      </SettingsList>
      {end.error && (
        <p className={styles.problem} role="alert">
          {describeError(end.error)}
        </p>
      )}
      {others.length > 1 && (
        <div className={styles.actions}>
          <ConfirmButton
            label={t('sessionsSignOutOthers')}
            question={t('sessionsSignOutQuestion', { count: others.length })}
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
  const device = describeDevice(user_agent) || t('unknownDevice');
  return (
    <SettingsItem
      title={device}
      mark={is_current && t('sessionCurrent')}
      facts={[
        !is_current && t('lastUsed', { time: formatAgo(last_used_time) }),
        t('sessionSignedIn', { time: formatDate(create_time) }),
        ip,
      ]}
    >
      {!is_current && (
        <ConfirmButton
          label={t('signOut')}
          question={t('sessionSignOutQuestion', { name: device })}
          isBusy={isBusy}
          onConfirm={end}
        />
      )}
    </SettingsItem>
  );
}
