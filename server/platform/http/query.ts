/** Reads query strings as Fastify does, and notices what is no UTF-8 instead of taking it for another value. */
import { parse } from 'fast-querystring';

const broken = Symbol('parameters that are no UTF-8');

type Query = Record<string | symbol, unknown>;

/** `+` is a space. What is given twice becomes an array. */
export function parseQuery(text: string): Query {
  const query: Query = parse(text);
  if (text.includes('%') && decoded(text) === undefined) query[broken] = brokenNames(text);
  return query;
}

/** The parameters that are no UTF-8; `query` stands for those whose very names are none. */
export function brokenIn(query: Query): string[] {
  return (query[broken] as string[] | undefined) ?? [];
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function brokenNames(text: string): string[] {
  const names = text
    .split('&')
    .filter((pair) => decoded(pair) === undefined)
    .map((pair) => decoded(pair.split('=', 1)[0]!.replaceAll('+', ' ')) ?? 'query');
  return [...new Set(names)];
}
