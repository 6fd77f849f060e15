/** Query parameters `page` and `limit`, and the pagination in responses. */
import type { SelectQueryBuilder } from 'kysely';
import type { Static, TProperties } from 'typebox';
import { countRows } from '../db/rows.ts';
import { Type } from '../schema/type.ts';

const defaultLimit = 20;
export const maxItemsPerPage = 100;

const pageFields = {
  page: Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1, description: 'Page number' }),
  limit: Type.Integer({
    minimum: 1,
    default: defaultLimit,
    description: `Items per page; a larger number than ${maxItemsPerPage} counts as ${maxItemsPerPage}`,
  }),
};

/** Returns the query schema of a paged endpoint: `page`, `limit` and its own filters. */
export function paginatedQuery<Filters extends TProperties>(filters: Filters) {
  return Type.Object({ ...pageFields, ...filters });
}

const PaginationRequest = Type.Object(pageFields);
export type PaginationRequest = Static<typeof PaginationRequest>;

export interface RowWindow {
  limit: number;
  offset: number;
}

/** Returns the rows to fetch: `limit` capped at the maximum, and `offset` from the page number. */
export function toRowWindow({ page, limit }: PaginationRequest): RowWindow {
  const served = Math.min(limit, maxItemsPerPage);
  return { limit: served, offset: (page - 1) * served };
}

export function createPagination({ page, limit }: PaginationRequest, total: number) {
  const served = Math.min(limit, maxItemsPerPage);
  return { page, limit: served, total, pages: Math.ceil(total / served) };
}

/** Type of a query that still needs its limit and offset. */
interface Ordered<Row> {
  limit(limit: number): { offset(offset: number): { execute(): Promise<Row[]> } };
}

/** Returns a page of a query's rows and its pagination. `shown` adds the columns and the order. */
export async function readQueryPage<DB, TB extends keyof DB, Found, Row>(
  matching: SelectQueryBuilder<DB, TB, Found>,
  request: PaginationRequest,
  shown: (matching: SelectQueryBuilder<DB, TB, Found>) => Ordered<Row>,
) {
  const total = await countRows(matching);
  const { limit, offset } = toRowWindow(request);
  const rows = await shown(matching).limit(limit).offset(offset).execute();
  return { rows, pagination: createPagination(request, total) };
}
