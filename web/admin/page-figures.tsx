/** The admin page with the gallery's statistics: totals, and charts for each day. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { GalleryStats } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { formatBytes } from '../ui/bytes.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useTitle } from '../ui/page.tsx';
import styles from './admin.module.css';
import figureStyles from './figures.module.css';
import { statsQuery } from './queries.ts';
import { formatDay, formatNumber, formatShortNumber, formatTime } from './texts.ts';

const Chart = lazy(() =>
  import('./chart.tsx').then(({ DailyValuesChart }) => ({ default: DailyValuesChart })),
);
const dayRanges = [7, 30, 90, 365];

export function GalleryStatsPage() {
  useTitle(t('adminOverview'), 'inner');
  const [days, setDays] = useState(30);
  const { data, error, refetch } = useQuery(statsQuery(days));
  return (
    <>
      <div className={styles.head}>
        <h1>{t('adminOverview')}</h1>
        <select
          aria-label={t('adminPeriod')}
          value={days}
          onChange={({ target }) => setDays(Number(target.value))}
        >
          {dayRanges.map((count) => (
            <option key={count} value={count}>
              {t('adminDays', { count })}
            </option>
          ))}
        </select>
      </div>
      {error ? <ErrorNotice error={error} retry={() => void refetch()} /> : data && <Figures stats={data} />}
    </>
  );
}

function Figures({ stats: { totals, daily, unnamed_proxy, clock_jump } }: { stats: GalleryStats }) {
  return (
    <>
      {unnamed_proxy && (
        <p className={figureStyles.warning} role="status">
          {t('adminUnnamedProxy', { address: unnamed_proxy })}
        </p>
      )}
      {clock_jump && (
        <p className={figureStyles.warning} role="status">
          {t('adminClockJump', { from: formatTime(clock_jump.from), to: formatTime(clock_jump.to) })}
        </p>
      )}
      <dl className={figureStyles.totals}>
        <TotalFigure name={t('adminPhotos')} value={formatNumber(totals.photos)} />
        <TotalFigure name={t('storage')} value={formatBytes(totals.bytes)} />
        <TotalFigure name={t('adminUsers')} value={formatNumber(totals.users)} />
        <TotalFigure name={t('adminAlbums')} value={formatNumber(totals.albums)} />
        <TotalFigure name={t('adminComments')} value={formatNumber(totals.comments)} />
        <TotalFigure name={t('adminTrashed')} value={formatNumber(totals.trashed_photos)} />
        <TotalFigure name={t('adminDisabledUsers')} value={formatNumber(totals.disabled_users)} />
        <TotalFigure
          name={t('adminOpenReports')}
          value={formatNumber(totals.open_reports)}
          to={totals.open_reports > 0 ? '/admin/reports' : undefined}
        />
      </dl>
      <div className={figureStyles.charts}>
        <DailyChart title={t('adminUploadedPhotos')} daily={daily} kind="photos" />
        <DailyChart title={t('adminAddedStorage')} daily={daily} kind="bytes" />
        <DailyChart title={t('adminNewUsers')} daily={daily} kind="users" />
        <DailyChart title={t('adminLikes')} daily={daily} kind="likes" />
        <DailyChart title={t('adminComments')} daily={daily} kind="comments" />
      </div>
    </>
  );
}

function TotalFigure({
  name,
  value,
  to,
}: {
  name: string;
  value: string;
  to?: '/admin/reports' | undefined;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{to ? <Link to={to}>{value}</Link> : value}</dd>
    </div>
  );
}

type DailyFigure = Exclude<keyof GalleryStats['daily'][number], 'date'>;

/** Shows a chart, and the same values as a table for screen readers. */
function DailyChart({
  title,
  daily,
  kind,
}: {
  title: string;
  daily: GalleryStats['daily'];
  kind: DailyFigure;
}) {
  const formatValue = kind === 'bytes' ? formatBytes : formatNumber;
  const sum = daily.reduce((before, day) => before + day[kind], 0);
  return (
    <section className={figureStyles.daily}>
      <h2>
        {title} <span>{formatValue(sum)}</span>
      </h2>
      <Suspense fallback={<div className={figureStyles.chart} />}>
        <Chart
          days={daily.map(({ date }) => date)}
          values={daily.map((day) => day[kind])}
          formatValue={kind === 'bytes' ? formatBytes : formatShortNumber}
          base={kind === 'bytes' ? 1024 : 1000}
        />
      </Suspense>
      <details className={figureStyles.table}>
        <summary>{t('adminShowTable')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the element scrolls, so the keyboard must reach it */}
        <section aria-label={title} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('adminDate')}</th>
                <th scope="col">{title}</th>
              </tr>
            </thead>
            <tbody>
              {daily.toReversed().map((day) => (
                <tr key={day.date}>
                  <th scope="row">{formatDay(day.date)}</th>
                  <td>{formatValue(day[kind])}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </section>
  );
}
