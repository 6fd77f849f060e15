/** Who is signed in, and the way out. The browser's own popover: focus, Esc and a click beside it are its. */
import { Link } from '@tanstack/react-router';
import { Album, Images, LogOut, Settings, Share2, ShieldCheck, Star, Trash2, Users } from 'lucide-react';
import type { CurrentUser } from '../api/types.ts';
import { chooseLanguage, language, languages, t } from '../messages/messages.ts';
import styles from './account-menu.module.css';
import { Avatar } from './avatar.tsx';
import { useSignOut } from './queries.ts';

const closeMenu = () => document.getElementById('account')?.hidePopover();

export function AccountMenu({ user }: { user: CurrentUser }) {
  const signOut = useSignOut();
  return (
    <>
      <button className={styles.me} type="button" popoverTarget="account" aria-label={t('account')}>
        <Avatar user={user} />
      </button>
      <div className={styles.menu} id="account" popover="auto">
        <p className={styles.name}>
          <bdi>{user.nickname || user.username}</bdi>
          <span>{user.email}</span>
        </p>
        <nav className={styles.pages} aria-label={t('account')}>
          <Link className={styles.row} to="/users/$name" params={{ name: user.username }} onClick={closeMenu}>
            {t('myPhotos')}
            <Images size={18} aria-hidden="true" />
          </Link>
          <Link className={styles.row} to="/albums" onClick={closeMenu}>
            {t('albums')}
            <Album size={18} aria-hidden="true" />
          </Link>
          <Link className={styles.row} to="/favorites" onClick={closeMenu}>
            {t('favorites')}
            <Star size={18} aria-hidden="true" />
          </Link>
          <Link className={styles.row} to="/feed" onClick={closeMenu}>
            {t('feed')}
            <Users size={18} aria-hidden="true" />
          </Link>
          <Link className={styles.row} to="/shares" onClick={closeMenu}>
            {t('shares')}
            <Share2 size={18} aria-hidden="true" />
          </Link>
          <Link className={styles.row} to="/trash" onClick={closeMenu}>
            {t('trash')}
            <Trash2 size={18} aria-hidden="true" />
          </Link>
          <Link className={styles.row} to="/settings" onClick={closeMenu}>
            {t('settings')}
            <Settings size={18} aria-hidden="true" />
          </Link>
          {user.is_admin && (
            <Link className={styles.row} to="/admin" onClick={closeMenu}>
              {t('administration')}
              <ShieldCheck size={18} aria-hidden="true" />
            </Link>
          )}
        </nav>
        <label className={styles.row}>
          {t('language')}
          <select value={language()} onChange={(event) => chooseLanguage(event.target.value)}>
            {Object.entries(languages).map(([tag, name]) => (
              <option key={tag} value={tag}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button className={styles.row} type="button" onClick={() => signOut.mutate()}>
          {t('signOut')}
          <LogOut size={18} aria-hidden="true" />
        </button>
      </div>
    </>
  );
}
