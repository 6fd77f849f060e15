/** Query parameters `page` and `limit`, and the pagination in responses. */
import type { SelectQueryBuilder } from 'kysely';
import type { Static, TProperties } from 'typebox';
import { countRows } from '../db/rows.ts';
import { Type } from '../schema/type.ts';

const defaultLimit = 20;
export const maxLimit = 100;

const pageFields = {
  page: Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1, description: 'Page number' }),
  limit: Type.Integer({
    minimum: 1,
    default: defaultLimit,
    description: `Items per page; a larger number than ${maxLimit} counts as ${maxLimit}`,
  }),
};

/** Returns the query schema of a paged endpoint: `page`, `limit` and its own filters. */
export function paginatedQuery<Filters extends TProperties>(filters: Filters) {
  return Type.Object({ ...pageFields, ...filters });
}

const PageRequest = Type.Object(pageFields);
export type PageRequest = Static<typeof PageRequest>;

export interface RowWindow {
  limit: number;
  offset: number;
}

/** Returns the rows to fetch: `limit` capped at the maximum, and `offset` from the page number. */
export function toWindow({ page, limit }: PageRequest): RowWindow {
  const served = Math.min(limit, maxLimit);
  return { limit: served, offset: (page - 1) * served };
}

export function createPagination({ page, limit }: PageRequest, total: number) {
  const served = Math.min(limit, maxLimit);
  return { page, limit: served, total, pages: Math.ceil(total / served) };
}

/** Type of a query that still needs its limit and offset. */
interface Ordered<Row> {
  limit(limit: number): { offset(offset: number): { execute(): Promise<Row[]> } };
}

/** Returns a page of a query's rows and its pagination. `shown` adds the columns and the order. */
export async function readPage<DB, TB extends keyof DB, Found, Row>(
  matching: SelectQueryBuilder<DB, TB, Found>,
  request: PageRequest,
  shown: (matching: SelectQueryBuilder<DB, TB, Found>) => Ordered<Row>,
) {
  const total = await countRows(matching);
  const { limit, offset } = toWindow(request);
  const rows = await shown(matching).limit(limit).offset(offset).execute();
  return { rows, pagination: createPagination(request, total) };
}
