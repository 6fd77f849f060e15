/** A card with one report: the reported thing, the reporter's reason and the possible actions. */
import { Link } from '@tanstack/react-router';
import type { Report } from '../api/types.ts';
import { type MessageKey, t } from '../messages/messages.ts';
import type { ReportHandlingAction } from './queries.ts';
import { listActionsForReport } from './report-actions.ts';
import styles from './reports.module.css';
import { formatTime } from './texts.ts';

const kindTexts: Record<string, MessageKey> = {
  photo: 'adminKindPhoto',
  comment: 'adminKindComment',
  user: 'adminKindUser',
};
const reasonTexts: Record<string, MessageKey> = {
  spam: 'adminReasonSpam',
  abuse: 'adminReasonAbuse',
  copyright: 'adminReasonCopyright',
  nsfw: 'adminReasonNsfw',
  other: 'adminReasonOther',
};
const outcomeTexts: Record<string, MessageKey> = {
  dismiss: 'adminDismiss',
  delete: 'adminRemove',
  disable_user: 'adminDisable',
};

interface Props {
  report: Report;
  /** True for the report that keyboard shortcuts act on. */
  isCurrent?: boolean;
  onFocus?(): void;
  onChoose?(action: ReportHandlingAction): void;
}

export function ReportCard({ report, isCurrent, onFocus, onChoose }: Props) {
  const { target, reason, content, user, open_reports, status, action, handler, create_time } = report;
  const known = reasonTexts[reason];
  return (
    <li
      className={styles.report}
      data-current={isCurrent || undefined}
      aria-current={isCurrent || undefined}
      tabIndex={-1}
      onFocus={onFocus}
    >
      {target?.thumb && <img src={target.thumb} alt="" width={96} height={96} />}
      <div>
        <p className={styles.about}>
          {t(kindTexts[report.target_type] ?? 'adminKindUser')} <ReportTarget report={report} />
          {open_reports > 1 && <em data-alarm>{t('adminReportsCount', { count: open_reports })}</em>}
        </p>
        <p>
          <strong>{known ? t(known) : reason}</strong>
          {content && <q dir="auto">{content}</q>}
        </p>
        <p className={styles.by}>
          {t('adminReportedBy', { name: user.username })} · {formatTime(create_time)}
        </p>
        {status === 'handled' && (
          <p className={styles.by}>
            {outcomeTexts[action] ? t(outcomeTexts[action]) : action} · {handler || '–'}
          </p>
        )}
      </div>
      {onChoose && (
        <div className={styles.choices}>
          {listActionsForReport(report).map(({ action, label, icon: Icon, key }) => (
            <button
              key={action}
              className="button quiet"
              type="button"
              aria-keyshortcuts={key}
              onClick={() => onChoose(action)}
            >
              <Icon size={16} aria-hidden="true" />
              {label}
            </button>
          ))}
        </div>
      )}
    </li>
  );
}

function ReportTarget({ report: { target } }: { report: Report }) {
  if (!target) return <i>{t('adminNoLongerExists')}</i>;
  const { photo_id, title, user } = target;
  const name = title || t('adminUntitled');
  return (
    <>
      {photo_id === null ? (
        <Link to="/users/$name" params={{ name: user.username }}>
          <bdi>{name}</bdi>
        </Link>
      ) : (
        <Link to="/photos/$photoId" params={{ photoId: String(photo_id) }}>
          <bdi>{name}</bdi>
        </Link>
      )}{' '}
      <small>@{user.username}</small>
    </>
  );
}
