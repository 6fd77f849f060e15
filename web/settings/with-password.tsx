/** Wraps a form that needs the password. An account without a password sees how to get one instead. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CurrentUser } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import styles from './settings.module.css';

interface Props {
  user: CurrentUser;
  children: ReactNode;
}

export function RequireAccountPassword({ user, children }: Props) {
  if (user.has_password) return children;
  return (
    <p className={styles.text}>
      {t('settingsPasswordFirst')}{' '}
      <Link to="/settings/security" hash="password">
        {t('settingsSetPassword')}
      </Link>
    </p>
  );
}
