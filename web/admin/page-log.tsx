/** What admins and the command line did. */
import { useQuery } from '@tanstack/react-query';
import type { LogEntry } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { useTitle } from '../ui/page.tsx';
import styles from './admin.module.css';
import { Listing } from './listing.tsx';
import { listQuery } from './queries.ts';
import { SearchField } from './search-field.tsx';
import { Table } from './table.tsx';
import { timeText } from './texts.ts';
import { useFilter } from './use-filter.ts';

/** As the API names them. */
const actions = [
  ...['user.create', 'user.update', 'user.delete'],
  ...['photo.update', 'photo.edit', 'photo.delete', 'photo.restore', 'photo.purge'],
  ...['album.update', 'album.delete', 'comment.update', 'comment.delete'],
  ...['share.update', 'share.delete', 'report.handle'],
  ...['invite.create', 'invite.delete'],
];

export function LogPage() {
  useTitle(t('adminLog'), 'inner');
  const { filter, change, asked, setPage } = useFilter();
  const query = useQuery(listQuery('logs', asked));
  const day = (name: 'date_from' | 'date_to', label: string) => (
    <label className={styles.day}>
      {label}
      <input
        type="date"
        value={filter[name] ?? ''}
        onChange={({ target }) => change({ [name]: target.value })}
      />
    </label>
  );
  return (
    <>
      <div className={styles.head}>
        <h1>{t('adminLog')}</h1>
        <SearchField label={t('adminActor')} value={filter.actor} onChange={(actor) => change({ actor })} />
        <select
          aria-label={t('adminAct')}
          value={filter.action ?? ''}
          onChange={({ target }) => change({ action: target.value })}
        >
          <option value="">{t('adminAll')}</option>
          {actions.map((action) => (
            <option key={action}>{action}</option>
          ))}
        </select>
        {day('date_from', t('adminFrom'))}
        {day('date_to', t('adminTo'))}
      </div>
      <Listing query={query} onPage={setPage}>
        {(entries) => (
          <Table columns={[t('adminAct'), t('adminTarget'), t('adminActor'), t('adminTime')]}>
            {entries.map((entry) => (
              <Row key={entry.id} entry={entry} />
            ))}
          </Table>
        )}
      </Listing>
    </>
  );
}

function Row({ entry: { action, actor, target, details, create_time } }: { entry: LogEntry }) {
  const more = Object.entries(details).map(([name, value]) => `${name}: ${String(value)}`);
  return (
    <tr>
      <th scope="row">
        <code>{action}</code>
      </th>
      <td data-label={t('adminTarget')}>
        <bdi>{target.name || `${target.type} ${target.id}`}</bdi>
        {more.length > 0 && <small>{more.join(', ')}</small>}
      </td>
      <td data-label={t('adminActor')}>
        <bdi>{actor.username}</bdi>
      </td>
      <td data-label={t('adminTime')}>{timeText(create_time)}</td>
    </tr>
  );
}
