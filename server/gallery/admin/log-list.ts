/** Lists the audit log, latest entry first. Each filter reads a range of an index in that order. */

import type { ExpressionBuilder } from 'kysely';
import type { Static } from 'typebox';
import type { Deps } from '../../deps.ts';
import { foldText } from '../../platform/db/fold.ts';
import type { Tables } from '../../platform/db/tables.ts';
import { paginatedQuery, readQueryPage } from '../../platform/http/pagination.ts';
import { choiceField, textField, timeField } from '../../platform/http/schema.ts';
import { dayEnd, dayStart, timeText } from '../../platform/http/time.ts';
import { Type } from '../../platform/schema/type.ts';
import { auditActions } from '../moderation/audit.ts';
import { dayField } from '../photos/schema.ts';

const Outcome = choiceField(['succeeded', 'refused', 'limited'], {
  title: 'AuditOutcome',
  description: 'Result of the entry. `limited`: refused by a rate limit. Acts always succeeded',
});

export const AuditLogQuery = paginatedQuery({
  actor: Type.Optional(
    textField(
      50,
      'Username of the actor, or of the account of an attempt, at that time; `command line` for ' +
        'commands',
    ),
  ),
  action: Type.Optional(choiceField(auditActions, { description: 'Only entries of this kind' })),
  outcome: Type.Optional(Outcome),
  date_from: Type.Optional(dayField('First day (UTC)')),
  date_to: Type.Optional(dayField('Last day (UTC)')),
});
export type AuditLogQuery = Static<typeof AuditLogQuery>;

export const AuditLogEntry = Type.Object(
  {
    id: Type.Integer(),
    actor: Type.Object({
      id: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'Id of the actor; null for the command line, and if the account is unknown',
      }),
      username: Type.String({
        description:
          'Username of the actor at that time; for a refused attempt, the account it tried to use, if ' +
          'any',
        examples: ['ansel'],
      }),
    }),
    action: Type.String({ examples: [...auditActions] }),
    outcome: Outcome,
    count: Type.Integer({
      description: 'Number of attempts; attempts of one kind within an hour share one entry',
      examples: [1],
    }),
    address: Type.String({
      description:
        'Address that an attempt came from, or its network for IPv6; empty for acts and for several ' +
        'addresses',
      examples: ['192.0.2.1'],
    }),
    target: Type.Object({
      type: Type.String({
        description: 'user, photo, album, comment, share, report, invite or site',
        examples: ['user'],
      }),
      id: Type.Integer(),
      name: Type.String({
        description: 'Username, title or name of the target at that time',
        examples: ['bobby'],
      }),
    }),
    details: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      examples: [{ status: 0 }],
    }),
    create_time: timeField(),
    last_time: timeField('Time of the last attempt that this entry counts'),
  },
  { title: 'AuditEntry' },
);

export async function listAuditLog({ db }: Deps, query: AuditLogQuery) {
  const matching = db
    .slow()
    .selectFrom('audit_log')
    .where((is) => createLogConditions(is, query));
  const { rows, pagination } = await readQueryPage(matching, query, (some) =>
    some.selectAll().orderBy('create_time', 'desc').orderBy('id', 'desc'),
  );
  const list = rows.map((row) => ({
    id: row.id,
    actor: { id: row.actor_id, username: row.actor },
    action: row.action,
    outcome: row.outcome,
    count: row.count,
    address: row.address,
    target: { type: row.target_type, id: row.target_id, name: row.target },
    details: JSON.parse(row.details) as Record<string, unknown>,
    create_time: timeText(row.create_time),
    last_time: timeText(row.last_time ?? row.create_time),
  }));
  return { list, pagination };
}

function createLogConditions(is: ExpressionBuilder<Tables, 'audit_log'>, query: AuditLogQuery) {
  const { actor, action, outcome, date_from, date_to } = query;
  return is.and([
    ...(actor === undefined ? [] : [is('actor_key', '=', foldText(actor.trim()))]),
    ...(action === undefined ? [] : [is('action', '=', action)]),
    ...(outcome === undefined ? [] : [is('outcome', '=', outcome)]),
    ...(date_from === undefined ? [] : [is('create_time', '>=', dayStart(date_from))]),
    ...(date_to === undefined ? [] : [is('create_time', '<', dayEnd(date_to))]),
  ]);
}
