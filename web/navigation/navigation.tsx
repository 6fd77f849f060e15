/** The main navigation: a column or rail beside the page, and a bar below the page on phones. */
import { Link, type LinkProps, useMatches } from '@tanstack/react-router';
import { Album, CircleUser, Compass, Images, LogIn, type LucideIcon, Star, Trash2 } from 'lucide-react';
import {
  listNavigationEntries,
  type NavigationEntry,
} from '../../server/gallery/pages/navigation-entries.ts';
import { useIsMembersOnlyVisitor, useUser } from '../auth/queries.ts';
import { visitorPages } from '../auth/visitor-pages.ts';
import { t } from '../messages/messages.ts';
import { StorageUsage } from '../users/storage.tsx';
import { CollapseButton } from './collapse-button.tsx';

const icons: Record<NavigationEntry['text'], LucideIcon> = {
  photos: Images,
  explore: Compass,
  myPhotos: CircleUser,
  albums: Album,
  favorites: Star,
  trash: Trash2,
  signIn: LogIn,
};

export function Navigation() {
  const user = useUser();
  const isMembersOnlyVisitor = useIsMembersOnlyVisitor();
  const route = useMatches({ select: (all) => all.at(-1)?.fullPath ?? '' });
  if (isMembersOnlyVisitor || visitorPages.includes(route)) return null;
  const entries = user === undefined ? [] : listNavigationEntries(user);
  return (
    <nav className="navigation" aria-label={t('navigation')}>
      <ul>
        {entries.map((entry) => (
          <Entry key={entry.to} {...entry} />
        ))}
      </ul>
      <div className="navigation-foot">
        {user && <StorageUsage user={user} />}
        <CollapseButton />
      </div>
    </nav>
  );
}

function Entry({ to, text }: NavigationEntry) {
  const Icon = icons[text];
  return (
    <li>
      <Link className="navigation-entry" to={to as LinkProps['to']} activeOptions={{ exact: to === '/' }}>
        <span className="navigation-icon">
          <Icon size={22} strokeWidth={1.75} aria-hidden="true" />
        </span>
        <span>{t(text)}</span>
      </Link>
    </li>
  );
}
