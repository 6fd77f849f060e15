/** The gallery in figures: how much there is, and what each day brought. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Stats } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { bytesText } from '../ui/bytes.ts';
import { useTitle } from '../ui/page.tsx';
import { Trouble } from '../ui/trouble.tsx';
import styles from './admin.module.css';
import figureStyles from './figures.module.css';
import { statsQuery } from './queries.ts';
import { dayText, numberText, shortText } from './texts.ts';

const Chart = lazy(() => import('./chart.tsx').then(({ Chart }) => ({ default: Chart })));
const ranges = [7, 30, 90, 365];

export function FiguresPage() {
  useTitle(t('adminFigures'), 'inner');
  const [days, setDays] = useState(30);
  const { data, error, refetch } = useQuery(statsQuery(days));
  return (
    <>
      <div className={styles.head}>
        <h1>{t('adminFigures')}</h1>
        <select
          aria-label={t('adminRange')}
          value={days}
          onChange={({ target }) => setDays(Number(target.value))}
        >
          {ranges.map((count) => (
            <option key={count} value={count}>
              {t('adminDays', { count })}
            </option>
          ))}
        </select>
      </div>
      {error ? <Trouble error={error} retry={() => void refetch()} /> : data && <Figures stats={data} />}
    </>
  );
}

function Figures({ stats: { totals, daily, unnamed_proxy } }: { stats: Stats }) {
  return (
    <>
      {unnamed_proxy && (
        <p className={figureStyles.warning} role="status">
          {t('adminProxy', { address: unnamed_proxy })}
        </p>
      )}
      <dl className={figureStyles.totals}>
        <Total name={t('adminPhotos')} value={numberText(totals.photos)} />
        <Total name={t('storage')} value={bytesText(totals.bytes)} />
        <Total name={t('adminUsers')} value={numberText(totals.users)} />
        <Total name={t('adminAlbums')} value={numberText(totals.albums)} />
        <Total name={t('adminComments')} value={numberText(totals.comments)} />
        <Total name={t('adminTrashed')} value={numberText(totals.trashed_photos)} />
        <Total name={t('adminDisabled')} value={numberText(totals.disabled_users)} />
        <Total name={t('adminOpenReports')} value={numberText(totals.open_reports)} to="/admin/reports" />
      </dl>
      <div className={figureStyles.charts}>
        <Daily title={t('adminUploads')} daily={daily} kind="photos" />
        <Daily title={t('adminGrowth')} daily={daily} kind="bytes" />
        <Daily title={t('adminSignUps')} daily={daily} kind="users" />
        <Daily title={t('adminLikes')} daily={daily} kind="likes" />
        <Daily title={t('adminComments')} daily={daily} kind="comments" />
      </div>
    </>
  );
}

function Total({ name, value, to }: { name: string; value: string; to?: '/admin/reports' }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{to ? <Link to={to}>{value}</Link> : value}</dd>
    </div>
  );
}

type Kind = Exclude<keyof Stats['daily'][number], 'date'>;

/** A chart for the eye, and its figures as a table for readers of all kinds. */
function Daily({ title, daily, kind }: { title: string; daily: Stats['daily']; kind: Kind }) {
  const textOf = kind === 'bytes' ? bytesText : numberText;
  const sum = daily.reduce((before, day) => before + day[kind], 0);
  return (
    <section className={figureStyles.daily}>
      <h2>
        {title} <span>{textOf(sum)}</span>
      </h2>
      <Suspense fallback={<div className={figureStyles.chart} />}>
        <Chart
          days={daily.map(({ date }) => date)}
          values={daily.map((day) => day[kind])}
          textOf={kind === 'bytes' ? bytesText : shortText}
          base={kind === 'bytes' ? 1024 : 1000}
        />
      </Suspense>
      <details className={figureStyles.table}>
        <summary>{t('adminAsTable')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by the keyboard too */}
        <section aria-label={title} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('adminDay')}</th>
                <th scope="col">{title}</th>
              </tr>
            </thead>
            <tbody>
              {daily.toReversed().map((day) => (
                <tr key={day.date}>
                  <th scope="row">{dayText(day.date)}</th>
                  <td>{textOf(day[kind])}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </section>
  );
}
