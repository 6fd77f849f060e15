/** Conditions on kept counts: those of what a list without filters has. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { PhotoGroupsTable } from '../../../platform/db/tables-queries.ts';
import { everybody } from '../../library/counts.ts';
import type { Branch } from './filter.ts';

/** On a table of totals by owner and visibility; there is at least one branch. */
export function keptOf(branches: Branch[], table: string): RawBuilder<SqlBool> {
  const ofEach = branches.map(
    ({ visibility, userId = everybody }) =>
      sql`(${sql.ref(`${table}.user_id`)} = ${userId} AND ${sql.ref(`${table}.visibility`)} = ${visibility})`,
  );
  return sql<SqlBool>`(${sql.join(ofEach, sql` OR `)})`;
}

/** On `photo_groups`. */
export function keptGroups(branches: Branch[], kind: PhotoGroupsTable['kind']): RawBuilder<SqlBool> {
  return sql<SqlBool>`${keptOf(branches, 'photo_groups')} AND photo_groups.kind = ${kind}`;
}
