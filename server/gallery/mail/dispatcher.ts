/** Sends due mail with the shared code of platform/outbox. */
import type { Deps } from '../../deps.ts';
import type { MailRow } from '../../platform/db/tables.ts';
import { startOutbox } from '../../platform/outbox/dispatcher.ts';
import { computeOutboxPause, leaseDueRows } from '../../platform/outbox/lease.ts';
import { mailKindsWithLink, secretMailKinds } from './outbox.ts';
import { createSendMail, type MailAttemptResult, type SendMail } from './send.ts';
import { type MailOutcome, mailQueuedEvent, recordMailMetric } from './signals.ts';
import type { RenderedMail } from './template.ts';

/** Maximum number of mails that this process sends at the same time. */
const maxAtOnce = 4;
/** Seconds for which a process holds a mail. The lease must be longer than any attempt to send. */
const leaseSeconds = 300;

/**
 * Composes the message of a mail row just before an attempt. Returns undefined if the message no longer has a
 * recipient.
 */
export type ComposeMail = (deps: Deps, row: MailRow) => Promise<RenderedMail | undefined>;

/**
 * Starts the mail dispatcher and returns a function that stops the dispatcher. Does nothing if no mail server is
 * configured.
 */
export function startMailing(deps: Deps, compose: ComposeMail, send?: SendMail): () => Promise<void> {
  if (!deps.config.mail) return async () => {};
  const sendOne = send ?? createSendMail(deps.config);
  return startOutbox<MailRow>(
    {
      name: 'mail',
      lease: (running) => leaseDueMail(deps, running),
      deliver: async (row) => recordOutcome(deps, row, await attemptToSendMail(deps, compose, sendOne, row)),
      abandon: async (row) =>
        recordOutcome(
          deps,
          row,
          await recordMailOutcome(deps, row, 'failed', { error: 'ABORTED', isFinal: true }),
        ),
      on: { events: deps.db.events, event: mailQueuedEvent },
    },
    deps.log,
  );
}

function recordOutcome({ db }: Deps, { kind }: MailRow, outcome: MailOutcome): void {
  if (!secretMailKinds.includes(kind)) recordMailMetric(db, outcome);
}

async function leaseDueMail({ db, clock }: Deps, running: Iterable<MailRow>): Promise<MailRow[]> {
  const room = maxAtOnce - [...running].length;
  if (room <= 0) return [];
  const now = clock();
  const selectDue = (which: 'in' | 'not in', limit: number) =>
    db.kysely
      .selectFrom('mails')
      .select('id')
      .where('due_time', '<=', now)
      .where('kind', which, mailKindsWithLink)
      .orderBy('due_time')
      .orderBy('id')
      .limit(limit)
      .execute();
  const notices = await selectDue('not in', room);
  const links = notices.length < room ? await selectDue('in', room - notices.length) : [];
  const ids = [...notices, ...links].map(({ id }) => id);
  return leaseDueRows(db.kysely, 'mails', { ids, now, leaseSeconds });
}

async function attemptToSendMail(
  deps: Deps,
  compose: ComposeMail,
  send: SendMail,
  row: MailRow,
): Promise<MailOutcome> {
  const letter = await compose(deps, row);
  if (!letter) return recordMailOutcome(deps, row, 'dropped', { error: '', isFinal: true });
  const result = await send(letter, row);
  const isTooLate = deps.clock() + computeOutboxPause(row.attempts) > row.give_up_time;
  if (result.error === '') return recordMailOutcome(deps, row, 'sent', result);
  const outcome = result.isFinal || isTooLate ? 'failed' : 'retried';
  deps.log.warn({ mail: row.id, kind: row.kind, error: result.error, outcome }, 'mail could not be sent');
  return recordMailOutcome(deps, row, outcome, result);
}

async function recordMailOutcome(
  { db, clock }: Deps,
  row: MailRow,
  outcome: MailOutcome,
  { error }: MailAttemptResult,
): Promise<MailOutcome> {
  await db.kysely
    .updateTable('mails')
    .set({
      status: outcome === 'retried' ? 'pending' : outcome,
      due_time: outcome === 'retried' ? clock() + computeOutboxPause(row.attempts) : null,
      error,
    })
    .where('id', '=', row.id)
    // Record nothing if the lease has expired, because another process then holds the mail and records its own
    // result.
    .where('attempts', '=', row.attempts)
    // If the mail's link was revoked meanwhile, the mail is not retried.
    .where('status', '=', 'pending')
    .execute();
  return outcome;
}
