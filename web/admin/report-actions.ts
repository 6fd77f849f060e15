/** The actions for a report, each with its keyboard key. Buttons and keyboard handlers share this list. */
import { Check, type LucideIcon, Trash2, UserX } from 'lucide-react';
import type { Report } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import type { ReportHandlingAction } from './queries.ts';

interface ReportAction {
  action: ReportHandlingAction;
  label: string;
  icon: LucideIcon;
  key: string;
}

export const listReportActions = (): ReportAction[] => [
  { action: 'dismiss', label: t('adminDismiss'), icon: Check, key: 'x' },
  { action: 'delete', label: t('adminRemove'), icon: Trash2, key: 'r' },
  { action: 'disable_user', label: t('adminDisable'), icon: UserX, key: 'u' },
];

/** When the reported thing is deleted, the only remaining action is to close the report. */
export function listActionsForReport({ target }: Report): ReportAction[] {
  return listReportActions().filter(({ action }) => target || action === 'dismiss');
}

export function describeReportShortcuts(): string {
  const acts = listReportActions().map(({ key, label }) => `${key.toUpperCase()} ${label}`);
  return [t('adminKeysHelp'), ...acts].join(' · ');
}
