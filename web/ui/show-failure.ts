/** Tells at the window's foot what did not work, with its reason and another try; loaded when there is such a thing. */
import { t } from '../messages/messages.ts';
import { describeError } from './error-notice.tsx';

export function showFailure(error: Error, retry: () => void): void {
  const notice = { text: describeError(error), isAlarm: true, action: { label: t('retry'), perform: retry } };
  // Where nothing can be loaded, what is shown has gone back to what is true.
  import('./toast.tsx').then(
    ({ showToast }) => showToast(notice),
    () => {},
  );
}
