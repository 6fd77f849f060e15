/** Content of the account menu: the username, links to the user's pages, the language, the theme and "sign out". */
import { Link } from '@tanstack/react-router';
import {
  Images,
  Keyboard,
  LogOut,
  type LucideIcon,
  Settings,
  Share2,
  ShieldCheck,
  Users,
} from 'lucide-react';
import type { CurrentUser } from '../api/types.ts';
import { availableLanguages, chooseLanguage, getLanguage, type MessageKey, t } from '../messages/messages.ts';
import styles from './account-menu.module.css';
import { useSignOut } from './sign-in/queries.ts';
import { ThemeRow } from './theme-row.tsx';

/** Menu entries after the link to the user's photos. */
const menuRows = [
  { to: '/feed', text: 'feed', icon: Users },
  { to: '/shares', text: 'shares', icon: Share2 },
  { to: '/settings', text: 'settings', icon: Settings },
  { to: '/admin', text: 'administration', icon: ShieldCheck, isForAdmins: true },
] as const satisfies { to: string; text: MessageKey; icon: LucideIcon; isForAdmins?: boolean }[];

const closeMenu = () => document.getElementById('account')?.hidePopover();

interface Props {
  user: CurrentUser;
  /** Opens the list of keyboard shortcuts. */
  showKeys(): void;
}

export function AccountMenuRows({ user, showKeys }: Props) {
  const signOut = useSignOut();
  return (
    <>
      <p className={styles.name}>
        <bdi>{user.nickname || user.username}</bdi>
        <span>{user.email}</span>
      </p>
      <nav className={styles.pages} aria-label={t('account')}>
        <Link className={styles.row} to="/users/$name" params={{ name: user.username }} onClick={closeMenu}>
          {t('myPhotos')}
          <Images size={18} aria-hidden="true" />
        </Link>
        {menuRows
          .filter((row) => !('isForAdmins' in row) || user.is_admin)
          .map(({ to, text, icon: Icon }) => (
            <Link key={to} className={styles.row} to={to} onClick={closeMenu}>
              <span>
                {t(text)}{' '}
                {to === '/admin' && user.open_reports > 0 && (
                  <b className={styles.reports}>{t('reportCount', { count: user.open_reports })}</b>
                )}
              </span>
              <Icon size={18} aria-hidden="true" />
            </Link>
          ))}
      </nav>
      <label className={styles.row}>
        {t('language')}
        <select value={getLanguage()} onChange={(event) => chooseLanguage(event.target.value)}>
          {Object.entries(availableLanguages).map(([tag, name]) => (
            <option key={tag} value={tag}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <ThemeRow />
      <button
        className={`${styles.row} ${styles.keys}`}
        type="button"
        onClick={() => {
          closeMenu();
          showKeys();
        }}
      >
        {t('keys')}
        <Keyboard size={18} aria-hidden="true" />
      </button>
      <button className={styles.row} type="button" onClick={() => signOut.mutate()}>
        {t('signOut')}
        <LogOut size={18} aria-hidden="true" />
      </button>
    </>
  );
}
