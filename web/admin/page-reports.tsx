/**
 * The admin page for open reports, handled one by one by keyboard. A decision closes all reports of the same
 * thing.
 */
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Report } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { ConfirmDialog } from '../ui/confirm.tsx';
import { describeError } from '../ui/error-notice.tsx';
import { isKeyForPage, readKey } from '../ui/keys.ts';
import { useTitle } from '../ui/page.tsx';
import { showToast } from '../ui/toast.tsx';
import { useKeydown } from '../ui/use-keydown.ts';
import styles from './admin.module.css';
import { PagedList } from './listing.tsx';
import { adminListQuery, type ReportHandlingAction, useHandleReport } from './queries.ts';
import { describeReportShortcuts, listActionsForReport } from './report-actions.ts';
import { ReportCard } from './report-card.tsx';
import reportStyles from './reports.module.css';

export function AdminReportsPage() {
  useTitle(t('adminReports'), 'inner');
  const [status, setStatus] = useState<'open' | 'handled'>('open');
  const [page, setPage] = useState(1);
  const query = useQuery(adminListQuery('reports', { status, page }));
  return (
    <>
      <div className={styles.head}>
        <h1>{t('adminReports')}</h1>
        <select
          aria-label={t('adminStatus')}
          value={status}
          onChange={({ target }) => {
            setStatus(target.value as typeof status);
            setPage(1);
          }}
        >
          <option value="open">{t('adminOpen')}</option>
          <option value="handled">{t('adminHandled')}</option>
        </select>
      </div>
      <PagedList
        query={query}
        onPage={setPage}
        empty={t(status === 'open' ? 'adminNoOpenReports' : 'adminNoResults')}
      >
        {(reports) =>
          status === 'open' ? <ReportQueue reports={reports} /> : <HandledReports reports={reports} />
        }
      </PagedList>
    </>
  );
}

interface ReportDecision {
  report: Report;
  action: ReportHandlingAction;
}

function ReportQueue({ reports }: { reports: Report[] }) {
  const [at, setAt] = useState(0);
  const [wanted, setWanted] = useState<ReportDecision>();
  const handle = useHandleReport();
  const list = useRef<HTMLOListElement>(null);
  const current = Math.min(at, reports.length - 1);

  const focusReport = (to: number) => {
    const next = Math.max(0, Math.min(reports.length - 1, to));
    setAt(next);
    const item = list.current?.children[next] as HTMLElement | undefined;
    item?.focus();
    item?.scrollIntoView({ block: 'nearest' });
  };
  const applyDecision = ({ report, action }: ReportDecision) => {
    const text = t(action === 'dismiss' ? 'adminDismissed' : 'adminReportHandled', {
      name: targetName(report),
    });
    handle.mutate(
      { id: report.id, action },
      {
        onSuccess: () => {
          setWanted(undefined);
          showToast({ text });
        },
        onError: (error) => action === 'dismiss' && showToast({ text: describeError(error), isError: true }),
      },
    );
  };
  const chooseAction = (report: Report, action: ReportHandlingAction) => {
    if (handle.isPending) return;
    handle.reset();
    if (action === 'dismiss') applyDecision({ report, action });
    else setWanted({ report, action });
  };

  useKeydown((event) => {
    if (!isKeyForPage(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Record<string, number> = { j: 1, arrowdown: 1, k: -1, arrowup: -1 };
    const pressed = readKey(event);
    const step = steps[pressed];
    const found = listActionsForReport(reports[current]!).find(({ key }) => key === pressed);
    if (step === undefined && !found) return;
    event.preventDefault();
    if (step !== undefined) focusReport(current + step);
    else if (found) chooseAction(reports[current]!, found.action);
  });

  return (
    <>
      <p className={reportStyles.keys}>{describeReportShortcuts()}</p>
      <ol ref={list} className={reportStyles.reports}>
        {reports.map((report, index) => (
          <ReportCard
            key={report.id}
            report={report}
            isCurrent={index === current}
            onFocus={() => setAt(index)}
            onChoose={(action) => chooseAction(report, action)}
          />
        ))}
      </ol>
      {wanted && (
        <ConfirmDialog
          {...getConfirmTexts(wanted)}
          onConfirm={() => applyDecision(wanted)}
          onClose={() => setWanted(undefined)}
          isBusy={handle.isPending}
          error={handle.error}
        />
      )}
    </>
  );
}

function HandledReports({ reports }: { reports: Report[] }) {
  return (
    <ol className={reportStyles.reports}>
      {reports.map((report) => (
        <ReportCard key={report.id} report={report} />
      ))}
    </ol>
  );
}

function targetName({ target, target_type, target_id }: Report): string {
  return target?.title || `${target_type} ${target_id}`;
}

function getConfirmTexts({ report, action }: ReportDecision) {
  const values = {
    name: action === 'disable_user' ? (report.target?.user.username ?? '') : targetName(report),
    count: report.open_reports,
  };
  if (action === 'disable_user') {
    return {
      title: t('adminDisableTitle', values),
      text: t('adminReportDisableText', values),
      action: t('adminDisable'),
    };
  }
  const texts = {
    photo: { title: t('adminRemovePhotoTitle', values), text: t('adminReportPhotoText', values) },
    comment: { title: t('adminRemoveCommentTitle'), text: t('adminReportCommentText', values) },
    user: { title: t('adminDeleteTitle', values), text: t('adminReportUserText', values) },
  };
  return { ...texts[report.target_type as keyof typeof texts], action: t('adminRemove') };
}
