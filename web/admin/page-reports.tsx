/** Reports as a queue: one after the other, by keys. What is decided for one is for all about the same thing. */
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Report } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { Confirm } from '../ui/confirm.tsx';
import { isForPage } from '../ui/keys.ts';
import { useTitle } from '../ui/page.tsx';
import { showToast } from '../ui/toast.tsx';
import { textOf } from '../ui/trouble.tsx';
import { useKeydown } from '../ui/use-keydown.ts';
import styles from './admin.module.css';
import { Listing } from './listing.tsx';
import { type HandleAction, listQuery, useHandleReport } from './queries.ts';
import { actionsFor, keyHelp } from './report-actions.ts';
import { ReportCard } from './report-card.tsx';
import reportStyles from './reports.module.css';

export function ReportsPage() {
  useTitle(t('adminReports'), 'inner');
  const [status, setStatus] = useState<'open' | 'handled'>('open');
  const [page, setPage] = useState(1);
  const query = useQuery(listQuery('reports', { status, page }));
  return (
    <>
      <div className={styles.head}>
        <h1>{t('adminReports')}</h1>
        <select
          aria-label={t('adminState')}
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
      <Listing
        query={query}
        onPage={setPage}
        empty={t(status === 'open' ? 'adminNoReports' : 'adminNothing')}
      >
        {(reports) => (status === 'open' ? <Queue reports={reports} /> : <Handled reports={reports} />)}
      </Listing>
    </>
  );
}

interface Wanted {
  report: Report;
  action: HandleAction;
}

function Queue({ reports }: { reports: Report[] }) {
  const [at, setAt] = useState(0);
  const [wanted, setWanted] = useState<Wanted>();
  const handle = useHandleReport();
  const list = useRef<HTMLOListElement>(null);
  const current = Math.min(at, reports.length - 1);

  const go = (to: number) => {
    const next = Math.max(0, Math.min(reports.length - 1, to));
    setAt(next);
    const item = list.current?.children[next] as HTMLElement | undefined;
    item?.focus();
    item?.scrollIntoView({ block: 'nearest' });
  };
  const act = ({ report, action }: Wanted) => {
    const text = t(action === 'dismiss' ? 'adminKept' : 'adminHandledNow', { name: nameOf(report) });
    handle.mutate(
      { id: report.id, action },
      {
        onSuccess: () => {
          setWanted(undefined);
          showToast({ text });
        },
        onError: (error) => action === 'dismiss' && showToast({ text: textOf(error), isAlarm: true }),
      },
    );
  };
  const choose = (report: Report, action: HandleAction) => {
    if (handle.isPending) return;
    handle.reset();
    if (action === 'dismiss') act({ report, action });
    else setWanted({ report, action });
  };

  useKeydown((event) => {
    if (!isForPage(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
    const step = steps[event.key];
    const found = actionsFor(reports[current]!).find(({ key }) => key === event.key.toLowerCase());
    if (step === undefined && !found) return;
    event.preventDefault();
    if (step !== undefined) go(current + step);
    else if (found) choose(reports[current]!, found.action);
  });

  return (
    <>
      <p className={reportStyles.keys}>{keyHelp()}</p>
      <ol ref={list} className={reportStyles.reports}>
        {reports.map((report, index) => (
          <ReportCard
            key={report.id}
            report={report}
            isCurrent={index === current}
            onFocus={() => setAt(index)}
            onChoose={(action) => choose(report, action)}
          />
        ))}
      </ol>
      {wanted && (
        <Confirm
          {...textsOf(wanted)}
          onConfirm={() => act(wanted)}
          onClose={() => setWanted(undefined)}
          isBusy={handle.isPending}
          error={handle.error}
        />
      )}
    </>
  );
}

function Handled({ reports }: { reports: Report[] }) {
  return (
    <ol className={reportStyles.reports}>
      {reports.map((report) => (
        <ReportCard key={report.id} report={report} />
      ))}
    </ol>
  );
}

function nameOf({ target, target_type, target_id }: Report): string {
  return target?.title || `${target_type} ${target_id}`;
}

function textsOf({ report, action }: Wanted) {
  const values = {
    name: action === 'disable_user' ? (report.target?.user.username ?? '') : nameOf(report),
    count: report.open_reports,
  };
  if (action === 'disable_user') {
    return {
      title: t('adminDisableTitle', values),
      text: t('adminReportDisable', values),
      action: t('adminDisable'),
    };
  }
  const texts = {
    photo: { title: t('adminRemovePhotoTitle', values), text: t('adminReportPhoto', values) },
    comment: { title: t('adminRemoveCommentTitle'), text: t('adminReportComment', values) },
    user: { title: t('adminDeleteTitle', values), text: t('adminReportUser', values) },
  };
  return { ...texts[report.target_type as keyof typeof texts], action: t('adminRemove') };
}
