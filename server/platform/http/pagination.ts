/** `page` and `limit`, and what an answer says about them. */
import type { SelectQueryBuilder } from 'kysely';
import type { Static, TProperties } from 'typebox';
import { countOf } from '../db/rows.ts';
import { Type } from '../schema/type.ts';

const defaultLimit = 20;
export const maxLimit = 100;

const pageFields = {
  page: Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1, description: 'Page number' }),
  limit: Type.Integer({
    minimum: 1,
    default: defaultLimit,
    description: `Items per page; more than ${maxLimit} is served as ${maxLimit}`,
  }),
};

/** A paged endpoint's query schema: `page`, `limit`, and its own filters. */
export function pageQuery<Filters extends TProperties>(filters: Filters) {
  return Type.Object({ ...pageFields, ...filters });
}

const PageRequest = Type.Object(pageFields);
export type PageRequest = Static<typeof PageRequest>;

export interface Window {
  limit: number;
  offset: number;
}

/** Rows to fetch: `limit` clamped, `offset` from the page. */
export function windowOf({ page, limit }: PageRequest): Window {
  const served = Math.min(limit, maxLimit);
  return { limit: served, offset: (page - 1) * served };
}

export function paginationOf({ page, limit }: PageRequest, total: number) {
  const served = Math.min(limit, maxLimit);
  return { page, limit: served, total, pages: Math.ceil(total / served) };
}

/** What is left to do of a query for a page of it. */
interface Ordered<Row> {
  limit(limit: number): { offset(offset: number): { execute(): Promise<Row[]> } };
}

/** A page of the rows of a query, as `shown` says, and what the answer says of it. */
export async function readPage<DB, TB extends keyof DB, Found, Row>(
  matching: SelectQueryBuilder<DB, TB, Found>,
  request: PageRequest,
  shown: (matching: SelectQueryBuilder<DB, TB, Found>) => Ordered<Row>,
) {
  const total = await countOf(matching);
  const { limit, offset } = windowOf(request);
  const rows = await shown(matching).limit(limit).offset(offset).execute();
  return { rows, pagination: paginationOf(request, total) };
}
