/** The bar at the top, with the gallery's name and global actions. Scrolling down hides the bar of a phone. */
import { Link, Navigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { AccountMenu } from './auth/account-menu.tsx';
import { useIsMembersOnlyVisitor, useSite, useUser } from './auth/queries.ts';
import { useShortcutsHelp } from './keys/use-keys-help.tsx';
import { t } from './messages/messages.ts';
import { NotificationBell } from './notifications/bell.tsx';
import { SearchField } from './search/search-field.tsx';
import { SessionRenewer } from './session/renewer.tsx';
import { useIsOpenedToShare } from './shared-files.ts';
import { narrowWindow, useMedia } from './ui/use-media.ts';
import { UploadButton } from './upload/upload-button.tsx';

/** Pixels of scrolling to ignore, because a hand moves that far without intent. */
const scrollSlackPx = 6;

export function NavigationBar() {
  const isAway = useIsBarHidden();
  const site = useSite();
  const user = useUser();
  const isVisitorOfMembers = useIsMembersOnlyVisitor();
  const isOpenedToShare = useIsOpenedToShare();
  const keys = useShortcutsHelp();
  return (
    <header className="bar" data-away={isAway || undefined}>
      <Link className="brand" to="/">
        {site?.logo ? (
          <img className="logo" src={site.logo} height={28} alt="" />
        ) : (
          <img src="/icon.svg" width={28} height={28} alt="" />
        )}
        <span>{site?.name}</span>
      </Link>
      {isVisitorOfMembers ? <div className="bar-search" /> : <SearchField />}
      <div className="bar-actions">
        {user ? (
          <>
            <UploadButton user={user} />
            <NotificationBell user={user} />
            <SessionRenewer user={user} />
            <AccountMenu user={user} showKeys={keys.open} />
          </>
        ) : (
          <>
            <Link className="button quiet bar-sign-in" to="/sign-in">
              {t('signIn')}
            </Link>
            {user === null && isOpenedToShare && (
              <Navigate to="/sign-in" search={{ to: '/?shared' }} replace />
            )}
          </>
        )}
      </div>
      {keys.dialog}
    </header>
  );
}

function useIsBarHidden(): boolean {
  const [isAway, setAway] = useState(false);
  const isNarrow = useMedia(narrowWindow);
  useEffect(() => {
    let last = window.scrollY;
    const handleScroll = () => {
      const now = window.scrollY;
      if (Math.abs(now - last) < scrollSlackPx) return;
      setAway(now > last && now > 120);
      last = now;
    };
    /** The wall shifted the scroll position to keep its photos in place; the user did not scroll. */
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
  return isAway && isNarrow;
}
