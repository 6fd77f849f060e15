/** Steps about notifications. */
import { done, type Kind } from './kind.ts';

const read: Kind = {
  does: 'read notices',
  weight: 9,
  // Marking all as read makes sense only with unread notifications.
  choose: ({ rows }, by) =>
    rows.notices.some(({ to, isRead }) => to === by && !isRead) ? { it: 'all' } : undefined,
  say: ({ by }) => `${by} reads all that they are told`,
  happen(rows, { by }) {
    for (const notice of rows.notices) if (notice.to === by) notice.isRead = true;
    return done();
  },
  send: (_stage, who) => who.post('/api/notifications/read', { all: true }),
};

export const noticeSteps = [read];
