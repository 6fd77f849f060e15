/** Shows a toast with an error and a retry button. The toast's script is loaded on demand. */
import { t } from '../messages/messages.ts';
import { describeError } from './error-notice.tsx';

const loadToast = () => import('./toast.tsx');

export function showFailure(error: Error, retry: () => void): void {
  const notice = { text: describeError(error), isError: true, action: { label: t('retry'), perform: retry } };
  // If the script fails to load, the display has already been reverted.
  loadToast().then(
    ({ showToast }) => showToast(notice),
    () => {},
  );
}

export function preloadFailureMessages(): void {
  loadToast().catch(() => {});
}
