/** The bar at the top: the gallery's name, and what one can do everywhere. It leaves when one scrolls down. */
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { AccountMenu } from './auth/account-menu.tsx';
import { useSite, useUser } from './auth/queries.ts';
import { useKeysHelp } from './keys/use-keys-help.tsx';
import { t } from './messages/messages.ts';
import { Bell } from './notifications/bell.tsx';
import { SearchField } from './search/search-field.tsx';
import { SessionKeeper } from './session/keeper.tsx';
import { UploadEntrance } from './upload/entrance.tsx';

/** Pixels that a hand moves without meaning it. */
const slack = 6;

export function Bar() {
  const isAway = useAway();
  const site = useSite();
  const user = useUser();
  const keys = useKeysHelp();
  return (
    <header className="bar" data-away={isAway || undefined}>
      <Link className="brand" to="/">
        <img src="/icon.svg" width={28} height={28} alt="" />
        <span>{site?.name}</span>
      </Link>
      <SearchField />
      <nav className="bar-actions">
        {user ? (
          <>
            <UploadEntrance user={user} />
            <Bell user={user} />
            <SessionKeeper user={user} />
            <AccountMenu user={user} showKeys={keys.open} />
          </>
        ) : (
          <Link className="button quiet" to="/sign-in">
            {t('signIn')}
          </Link>
        )}
      </nav>
      {keys.dialog}
    </header>
  );
}

function useAway(): boolean {
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    let last = window.scrollY;
    const follow = () => {
      const now = window.scrollY;
      if (Math.abs(now - last) < slack) return;
      setAway(now > last && now > 120);
      last = now;
    };
    /** By a wall that stays where it is. */
    const skip = (event: Event) => {
      last += (event as CustomEvent<number>).detail;
    };
    window.addEventListener('scroll', follow, { passive: true });
    window.addEventListener('wall-held', skip);
    return () => {
      window.removeEventListener('scroll', follow);
      window.removeEventListener('wall-held', skip);
    };
  }, []);
  return isAway;
}
