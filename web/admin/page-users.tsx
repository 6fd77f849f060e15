/** The accounts: found by name, with what they store, and what an admin may do with them. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import type { AdminUser } from '../api/types.ts';
import { Avatar } from '../auth/avatar.tsx';
import { useSite } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { bytesText } from '../ui/bytes.ts';
import { MenuButton } from '../ui/menu.tsx';
import { useTitle } from '../ui/page.tsx';
import styles from './admin.module.css';
import listStyles from './list.module.css';
import { Listing } from './listing.tsx';
import { listQuery } from './queries.ts';
import { SearchField } from './search-field.tsx';
import { Table } from './table.tsx';
import { numberText, timeText } from './texts.ts';
import { useFilter } from './use-filter.ts';
import { type UserAct, UserDialog } from './user-dialog.tsx';

const megabyte = 1024 * 1024;

export function UsersPage() {
  useTitle(t('adminUsers'), 'inner');
  const { filter, change, asked, setPage } = useFilter();
  const query = useQuery(listQuery('users', asked));
  const [act, setAct] = useState<UserAct>();
  return (
    <>
      <div className={styles.head}>
        <h1>
          {t('adminUsers')} <span>{query.data && numberText(query.data.pagination.total)}</span>
        </h1>
        <SearchField
          label={t('adminFindUsers')}
          value={filter.keyword}
          onChange={(keyword) => change({ keyword })}
        />
        <select
          aria-label={t('adminState')}
          value={filter.status ?? ''}
          onChange={({ target }) => change({ status: target.value })}
        >
          <option value="">{t('adminAll')}</option>
          <option value="1">{t('adminEnabled')}</option>
          <option value="0">{t('adminDisabled')}</option>
        </select>
      </div>
      <Listing query={query} onPage={setPage}>
        {(users) => (
          <Table columns={[t('adminUser'), t('storage'), t('adminPhotos'), t('adminSeen')]} hasActs>
            {users.map((user) => (
              <Row key={user.id} user={user} onAct={setAct} />
            ))}
          </Table>
        )}
      </Listing>
      {act && <UserDialog {...act} onClose={() => setAct(undefined)} />}
    </>
  );
}

function Row({ user, onAct }: { user: AdminUser; onAct(act: UserAct): void }) {
  const { username, quota_mb, storage_used, status, is_admin } = user;
  const used = bytesText(storage_used);
  const site = useSite();
  const item = (kind: UserAct['kind'], label: string, isAlarm = false) => ({
    name: kind,
    label,
    isAlarm,
    perform: () => onAct({ kind, user }),
  });
  return (
    <tr>
      <th scope="row">
        <span className={listStyles.who}>
          <Avatar user={user} size={36} />
          <span>
            <Link to="/users/$name" params={{ name: username }}>
              <bdi>{user.nickname || username}</bdi>
            </Link>
            {is_admin && <em>{t('adminIsAdmin')}</em>}
            {status === 0 && <em data-alarm>{t('adminIsDisabled')}</em>}
            <small>
              @{username} · {user.email}
            </small>
          </span>
        </span>
      </th>
      <td data-label={t('storage')}>
        {quota_mb === null ? used : t('adminOf', { used, quota: bytesText(quota_mb * megabyte) })}
      </td>
      <td data-label={t('adminPhotos')}>{numberText(user.photo_count)}</td>
      <td data-label={t('adminSeen')}>{timeText(user.last_seen_time) || '–'}</td>
      <td className={listStyles.acts}>
        <MenuButton
          className={styles.more}
          label={t('adminActsOn', { name: username })}
          items={[
            item('quota', t('adminSetQuota')),
            is_admin ? item('demote', t('adminDemote')) : item('promote', t('adminPromote')),
            status === 1 ? item('disable', t('adminDisable'), true) : item('enable', t('adminEnable')),
            item('signOut', t('adminSignOut'), true),
            ...(site?.sign_in.password ? [item('link', t('adminLink'))] : []),
            item('delete', t('adminDelete'), true),
          ]}
        >
          <Ellipsis size={20} aria-hidden="true" />
        </MenuButton>
      </td>
    </tr>
  );
}
