/** Query strings of the pages. Parameters are plain text, without JSON quotes. */
import { escapeQueryValue } from './address.ts';

export function parseQueryString(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Returns `?name=value&…`, or '' without values. Empty values are left out. */
export function buildQueryString(values: Record<string, unknown>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  const parts = given.map(([name, value]) => `${name}=${escapeQueryValue(String(value))}`);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}
