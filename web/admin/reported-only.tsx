/** A checkbox that reduces a list to items with open reports. */
import { t } from '../messages/messages.ts';
import styles from './admin.module.css';

interface Props {
  value: string | number | undefined;
  onChange(reported: 1 | undefined): void;
}

export function ReportedOnlyFilter({ value, onChange }: Props) {
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        checked={value === 1}
        onChange={({ target }) => onChange(target.checked ? 1 : undefined)}
      />
      {t('adminReportedOnly')}
    </label>
  );
}
