/** The admin page with all accounts: search by name, storage use, and account actions. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import type { AdminUser } from '../api/types.ts';
import { Avatar } from '../auth/avatar.tsx';
import { useSite } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { formatBytes } from '../ui/bytes.ts';
import { MenuButton } from '../ui/menu.tsx';
import { useTitle } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import styles from './admin.module.css';
import listStyles from './list.module.css';
import { PagedList } from './listing.tsx';
import { adminListQuery } from './queries.ts';
import { AdminTable, type SortableColumn, type Sorting, type SortOrder } from './table.tsx';
import { formatDay, formatNumber, formatTime } from './texts.ts';
import { useAdminListFilter } from './use-filter.ts';
import { type AdminUserAction, AdminUserDialog } from './user-dialog.tsx';

const megabyte = 1024 * 1024;

export function AdminUsersPage() {
  useTitle(t('adminUsers'), 'inner');
  const { filter, change, asked, setPage } = useAdminListFilter({ sort: 'create_time', order: 'desc' });
  const query = useQuery(adminListQuery('users', asked));
  const [act, setAct] = useState<AdminUserAction>();
  const columns = listColumns();
  const sorting: Sorting = {
    sort: String(filter.sort),
    order: filter.order as SortOrder,
    change: (sort, order) => change({ sort, order }),
  };
  return (
    <>
      <div className={styles.head}>
        <h1>
          {t('adminUsers')} <span>{query.data && formatNumber(query.data.pagination.total)}</span>
        </h1>
        <SearchField
          label={t('adminSearchUsers')}
          value={filter.keyword}
          onChange={(keyword) => change({ keyword })}
        />
        <select
          aria-label={t('adminStatus')}
          value={filter.status ?? ''}
          onChange={({ target }) => change({ status: target.value })}
        >
          <option value="">{t('adminAll')}</option>
          <option value="1">{t('adminEnabled')}</option>
          <option value="0">{t('adminDisabled')}</option>
        </select>
      </div>
      <PagedList query={query} onPage={setPage}>
        {(users) => (
          <AdminTable columns={columns} sorting={sorting} hasActs>
            {users.map((user) => (
              <UserRow key={user.id} user={user} onAct={setAct} />
            ))}
          </AdminTable>
        )}
      </PagedList>
      {act && <AdminUserDialog {...act} onClose={() => setAct(undefined)} />}
    </>
  );
}

function listColumns(): SortableColumn[] {
  return [
    { label: t('adminUser'), sort: 'name', order: 'asc' },
    { label: t('storage'), sort: 'storage_used', order: 'desc' },
    { label: t('adminJoined'), sort: 'create_time', order: 'desc' },
    { label: t('adminLastSeen'), sort: 'last_seen_time', order: 'desc' },
  ];
}

function UserRow({ user, onAct }: { user: AdminUser; onAct(act: AdminUserAction): void }) {
  const { username, quota_mb, storage_used, status, is_admin } = user;
  const used = formatBytes(storage_used);
  const site = useSite();
  const menuItem = (kind: AdminUserAction['kind'], label: string, isDestructive = false) => ({
    name: kind,
    label,
    isDestructive,
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
            {is_admin && <em>{t('adminAdmin')}</em>}
            {status === 0 && <em data-alarm>{t('adminDisabled')}</em>}
            <small>
              @{username} · {user.email}
            </small>
          </span>
        </span>
      </th>
      <td data-label={t('storage')}>
        {quota_mb === null ? used : t('adminUsedOfQuota', { used, quota: formatBytes(quota_mb * megabyte) })}
        <small>{t('photosFound', { count: user.photo_count })}</small>
      </td>
      <td data-label={t('adminJoined')}>{formatDay(user.create_time.slice(0, 10))}</td>
      <td data-label={t('adminLastSeen')}>{formatTime(user.last_seen_time) || '–'}</td>
      <td className={listStyles.acts}>
        <MenuButton
          className={styles.more}
          label={t('adminActionsFor', { name: username })}
          items={[
            menuItem('quota', t('adminSetQuota')),
            ...(user.api_keys > 0 ? [menuItem('keys', t('adminKeys'))] : []),
            is_admin
              ? menuItem('demote', t('adminRemoveRights'))
              : menuItem('promote', t('adminGrantRights')),
            status === 1
              ? menuItem('disable', t('adminDisable'), true)
              : menuItem('enable', t('adminEnable')),
            menuItem('signOut', t('adminSignOutUser'), true),
            ...(site?.sign_in.password ? [menuItem('link', t('adminResetLink'))] : []),
            menuItem('delete', t('adminDelete'), true),
          ]}
        >
          <Ellipsis size={20} aria-hidden="true" />
        </MenuButton>
      </td>
    </tr>
  );
}
