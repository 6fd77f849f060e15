/** The last step of an import: what became of each file. */
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { formatReceipt, type ReceiptLine } from '../../server/tools/exchange/plan/receipt.ts';
import { t } from '../messages/messages.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import styles from './import.module.css';
import { describeLine, getOutcomeLabel, type Outcome, outcomes } from './reasons.ts';
import type { ImportSession, ImportView } from './session.ts';

interface Props {
  session: ImportSession;
  view: Extract<ImportView, { phase: 'done' }>;
  username: string;
}

/** Number of rows that are added at once. */
const rowsPerStep = 100;

export function ImportReceipt({ session, view, username }: Props) {
  const { receipt, isStopped } = view;
  const lines = useMemo(() => [...receipt.lines()], [receipt]);
  const counts = useMemo(() => receipt.count(), [receipt]);
  const [shown, setShown] = useState<Outcome>();
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus(), []);
  const chosen = useMemo(
    () => (shown ? lines.filter(({ outcome }) => outcome === shown) : lines),
    [lines, shown],
  );
  const present = outcomes.filter((outcome) => counts[outcome] > 0);
  return (
    <section className={styles.panel}>
      <h2 ref={head} tabIndex={-1}>
        {t(isStopped ? 'importStopped' : 'importDone')}
      </h2>
      <p role="status">
        {t('importSum', { count: lines.length })}
        {': '}
        {present.map((outcome) => formatCount(outcome, counts[outcome])).join(' · ')}
      </p>
      {isStopped && <p className={styles.text}>{t('importStoppedText')}</p>}
      <div className={styles.actions}>
        <ButtonLink to="/users/$name" params={{ name: username }}>
          {t('importViewPhotos')}
        </ButtonLink>
        <button className="button quiet" type="button" onClick={() => saveCsv(view)}>
          {t('importSaveCsv')}
        </button>
        <button className="button quiet" type="button" onClick={session.reset}>
          {t('importAgain')}
        </button>
      </div>
      <fieldset className={styles.filters}>
        <legend className="unseen">{t('importShow')}</legend>
        {[undefined, ...present].map((outcome) => (
          <button
            key={outcome ?? ''}
            type="button"
            aria-pressed={shown === outcome}
            onClick={() => setShown(outcome)}
          >
            {outcome ? formatCount(outcome, counts[outcome]) : t('importAll')}
          </button>
        ))}
      </fieldset>
      <ReceiptTable key={shown ?? ''} lines={chosen} />
    </section>
  );
}

const formatCount = (outcome: Outcome, count: number) =>
  t('importFilter', { outcome: getOutcomeLabel(outcome), count });

function ReceiptTable({ lines }: { lines: ReceiptLine[] }) {
  const [rows, setRows] = useState(rowsPerStep);
  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('importFile')}</th>
            <th scope="col">{t('importResult')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, rows).map((line) => (
            <ReceiptRow key={`${line.file.source} ${line.file.path}`} line={line} />
          ))}
        </tbody>
      </table>
      {lines.length > rows && (
        <button className="button quiet" type="button" onClick={() => setRows(rows + rowsPerStep)}>
          {t('importShowMore')}
        </button>
      )}
    </>
  );
}

function ReceiptRow({ line }: { line: ReceiptLine }) {
  const { file, outcome, photoId } = line;
  const reason = describeLine(line);
  return (
    <tr data-outcome={outcome}>
      <td dir="auto">{file.path}</td>
      <td>
        {getOutcomeLabel(outcome)}{' '}
        {photoId !== undefined && (
          <Link to="/photos/$photoId" params={{ photoId: String(photoId) }}>
            {t('importView')}
            <span className="unseen"> {file.path}</span>
          </Link>
        )}
        {reason && <span className={styles.reason}>{reason}</span>}
      </td>
    </tr>
  );
}

/** Offers the receipt as a download, with all lines whatever the page shows. */
function saveCsv({ receipt, sources }: Props['view']): void {
  const url = URL.createObjectURL(
    new Blob([...formatReceipt(receipt, sources)], { type: 'text/csv;charset=utf-8' }),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = 'import-receipt.csv';
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
