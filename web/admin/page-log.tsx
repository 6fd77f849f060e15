/** The admin page with the audit log: acts of admins, accounts and the command line, and sign-in attempts. */
import { useQuery } from '@tanstack/react-query';
import type { AuditLogEntry } from '../api/types.ts';
import { type MessageKey, t } from '../messages/messages.ts';
import { useTitle } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import styles from './admin.module.css';
import { PagedList } from './listing.tsx';
import {
  auditActionTexts,
  auditOutcomeTexts,
  formatAuditAction,
  formatAuditActor,
  formatAuditDetail,
  formatAuditOutcome,
  formatAuditReason,
} from './log-words.ts';
import { adminListQuery } from './queries.ts';
import { AdminTable } from './table.tsx';
import { formatTime } from './texts.ts';
import { useAdminListFilter } from './use-filter.ts';

export function AuditLogPage() {
  useTitle(t('adminAuditLog'), 'inner');
  const { filter, change, asked, setPage } = useAdminListFilter();
  const query = useQuery(adminListQuery('logs', asked));
  const dayField = (name: 'date_from' | 'date_to', label: string) => (
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
        <h1>{t('adminAuditLog')}</h1>
        <SearchField label={t('adminActor')} value={filter.actor} onChange={(actor) => change({ actor })} />
        <FilterSelect
          label={t('adminAction')}
          words={auditActionTexts}
          value={filter.action}
          onChange={(action) => change({ action })}
        />
        <FilterSelect
          label={t('logOutcome')}
          words={auditOutcomeTexts}
          value={filter.outcome}
          onChange={(outcome) => change({ outcome })}
        />
        <div className={styles.days}>
          {dayField('date_from', t('adminFrom'))}
          {dayField('date_to', t('adminTo'))}
        </div>
      </div>
      <PagedList query={query} onPage={setPage}>
        {(entries) => (
          <AdminTable columns={[t('adminAction'), t('adminTarget'), t('adminActor'), t('adminTime')]}>
            {entries.map((entry) => (
              <LogRow key={entry.id} entry={entry} />
            ))}
          </AdminTable>
        )}
      </PagedList>
    </>
  );
}

interface FilterSelectProps {
  label: string;
  words: Record<string, MessageKey>;
  value: string | number | undefined;
  onChange(name: string): void;
}

function FilterSelect({ label, words, value = '', onChange }: FilterSelectProps) {
  return (
    <select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{t('adminAnyValue', { what: label })}</option>
      {Object.entries(words).map(([name, key]) => (
        <option key={name} value={name}>
          {t(key)}
        </option>
      ))}
    </select>
  );
}

function LogRow({ entry }: { entry: AuditLogEntry }) {
  const { action, actor, target, count, create_time, last_time } = entry;
  const more = describeEntry(entry);
  return (
    <tr>
      <th scope="row">
        {formatAuditAction(action)}
        {count > 1 && <small> · {t('logTimes', { count })}</small>}
      </th>
      <td data-label={t('adminTarget')}>
        <bdi>{targetName(target)}</bdi>
        {more.length > 0 && <small>{more.join(', ')}</small>}
      </td>
      <td data-label={t('adminActor')}>
        <bdi>{formatAuditActor(actor.username)}</bdi>
      </td>
      <td data-label={t('adminTime')}>
        {formatTime(create_time)}
        {last_time !== create_time && <small>{t('logUntil', { time: formatTime(last_time) })}</small>}
      </td>
    </tr>
  );
}

/** A sign-in attempt for an unknown account has no name to show. */
function targetName({ type, id, name }: AuditLogEntry['target']): string {
  return name || (id === 0 ? t('logUnknown') : `${type} ${id}`);
}

/** Returns the outcome of a log entry, its reason, its IP address and its other details as texts. */
function describeEntry({ outcome, count, address, details }: AuditLogEntry): string[] {
  const { reason, ...others } = details;
  return [
    ...(outcome === 'succeeded' ? [] : [formatAuditOutcome(outcome)]),
    ...(reason === undefined || outcome === 'limited' ? [] : [formatAuditReason(reason)]),
    ...(count === 1 || address ? [] : [t('logManyAddresses')]),
    ...(address ? [address] : []),
    ...Object.entries(others).map(([name, value]) => formatAuditDetail(name, value)),
  ];
}
