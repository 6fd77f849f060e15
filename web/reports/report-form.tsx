/** A form that reports unwanted content to the admins, with a reason. */
import { useEffect, useRef, useState } from 'react';
import type { NewReport } from '../api/types.ts';
import { type MessageKey, t } from '../messages/messages.ts';
import { CheckedForm } from '../ui/checked-form.tsx';
import { describeError } from '../ui/error-notice.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { useSendReport } from './queries.ts';
import styles from './report-form.module.css';

interface Props {
  target: NewReport['target_type'];
  id: number;
  close(): void;
}

const reasonTexts: Record<NewReport['reason'], MessageKey> = {
  spam: 'reportSpam',
  nsfw: 'reportNsfw',
  copyright: 'reportCopyright',
  abuse: 'reportAbuse',
  other: 'reportOther',
};

export function ReportForm({ target, id, close }: Props) {
  const [reason, setReason] = useState<NewReport['reason']>('spam');
  const [content, setContent] = useState('');
  const report = useSendReport();
  useReturnFocus();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // Newer browsers return a promise here, and an effect may only return a function.
    form.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  if (report.isSuccess) return <ReportSent />;
  const submit = () => {
    if (!report.isPending) report.mutate({ target_type: target, target_id: id, reason, content });
  };
  return (
    <CheckedForm
      ref={form}
      className={styles.form}
      aria-label={t('report')}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        close();
      }}
    >
      <label>
        {t('reportReason')}
        <select
          // biome-ignore lint/a11y/noAutofocus: the user pressed a button to open the form
          autoFocus
          value={reason}
          onChange={({ target: { value } }) => setReason(value as NewReport['reason'])}
        >
          {Object.entries(reasonTexts).map(([value, text]) => (
            <option key={value} value={value}>
              {t(text)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('reportDetails')}
        <textarea
          rows={2}
          maxLength={1000}
          dir="auto"
          value={content}
          onChange={({ target: { value } }) => setContent(value)}
        />
      </label>
      {report.error && (
        <p className={styles.problem} role="alert">
          {describeError(report.error)}
        </p>
      )}
      <p className={styles.acts}>
        <button className="button" type="submit" aria-busy={report.isPending}>
          {t('reportSubmit')}
        </button>
        <button className="button quiet" type="button" onClick={close}>
          {t('cancel')}
        </button>
      </p>
    </CheckedForm>
  );
}

function ReportSent() {
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => text.current?.focus(), []);
  return (
    <p className={styles.done} ref={text} tabIndex={-1} role="status">
      {t('reportSent')}
    </p>
  );
}
