/** The bar at the top: the gallery's name, and what one can do everywhere. It leaves when one scrolls down. */
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { AccountMenu } from './auth/account-menu.tsx';
import { useSite, useUser } from './auth/queries.ts';
import { useKeysHelp } from './keys/use-keys-help.tsx';
import { t } from './messages/messages.ts';
import { NotificationBell } from './notifications/bell.tsx';
import { SearchField } from './search/search-field.tsx';
import { SessionRenewer } from './session/keeper.tsx';
import { UploadButton } from './upload/entrance.tsx';

/** Pixels that a hand moves without meaning it. */
const scrollSlackPx = 6;

export function Bar() {
  const isAway = useIsBarHidden();
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
            <UploadButton user={user} />
            <NotificationBell user={user} />
            <SessionRenewer user={user} />
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

function useIsBarHidden(): boolean {
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    let last = window.scrollY;
    const handleScroll = () => {
      const now = window.scrollY;
      if (Math.abs(now - last) < scrollSlackPx) return;
      setAway(now > last && now > 120);
      last = now;
    };
    /** By a wall that stays where it is. */
    const ignoreWallShift = (event: Event) => {
      last += (event as CustomEvent<number>).detail;
    };
    window.addEventListener('scroll', handleScroll, { passive: true });
    window.addEventListener('wall-held', ignoreWallShift);
    return () => {
      window.removeEventListener('scroll', handleScroll);
      window.removeEventListener('wall-held', ignoreWallShift);
    };
  }, []);
  return isAway;
}
