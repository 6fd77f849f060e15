/** The photo that is shown goes to the trash. */
import type { PhotoItem } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { leaveList, type Viewed } from '../photos/leave-list.ts';
import { changeAll } from '../selection/queries.ts';
import { doneText, failedText } from '../selection/words.ts';
import { showToast } from '../ui/toast.tsx';
import { textOf } from '../ui/trouble.tsx';

export async function toTrash(viewed: Viewed, photo: PhotoItem): Promise<void> {
  await leaveList(viewed, photo, {
    perform: () => change(photo, 'delete'),
    undo: () => change(photo, 'restore'),
    done: doneText({ action: 'delete' }, 1),
    undoLabel: t('undoIt'),
    undone: t('undone'),
  });
}

/** Whether it was done; says why not. */
async function change({ id }: PhotoItem, action: 'delete' | 'restore'): Promise<boolean> {
  try {
    const outcome = await changeAll([id], { action }, () => {});
    if (outcome.failed.length > 0) showToast({ text: failedText(outcome, 1), isAlarm: true });
    return outcome.failed.length === 0;
  } catch (error) {
    showToast({ text: textOf(error as Error), isAlarm: true });
    return false;
  }
}
