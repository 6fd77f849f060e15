/** Converts a part of a request into the form that its schema expects, before the schema is checked. */
import { parse } from 'fast-querystring';
import type { FieldErrors } from '../errors/catalogue.ts';
import { addFieldError } from './field-errors.ts';

/** Parts of a JSON Schema that the conversion of inputs reads. */
export interface InputSchema {
  properties?: Record<string, PropertySchema>;
  required?: string[];
}

interface PropertySchema {
  type?: string | string[];
  /** Value that replaces null in the input. See `nullableField`. */
  whenNull?: { value: unknown };
}

type RawInput = Record<string, unknown>;

/** Returns the value for the schema's check. Adds errors that the schema could not detect to `fields`. */
export type PrepareInputValue = (value: unknown, fields: FieldErrors) => unknown;

/**
 * Decimal integer, with more digits than any accepted number. A huge number is therefore reported as too large, not as
 * no number.
 */
const wholeNumberPattern = /^(0|-?[1-9]\d{0,39})$/;

/**
 * Prepares path parameters. All are text, and a plain decimal becomes an integer; `1e3`, `0x10`, ` 1` and `01` do not.
 */
export function preparePathParameters(schema: InputSchema): PrepareInputValue {
  const integers = integerNames(schema);
  return (value) => {
    const given = value as RawInput;
    for (const name of integers) given[name] = toInteger(given[name]);
    return given;
  };
}

/** Prepares query parameters and form fields like path parameters. An empty value counts as absent. */
export function prepareTextParameters(schema: InputSchema): PrepareInputValue {
  const properties = schema.properties ?? {};
  const integers = new Set(integerNames(schema));
  return (value, fields) => {
    const given = value as RawInput;
    for (const name of invalidNames(given)) {
      addFieldError(fields, name, 'Must be text in UTF-8, percent-encoded');
      delete given[name];
    }
    for (const name in given) {
      const text = given[name];
      if (text === '') delete given[name];
      else if (typeof text !== 'string') {
        if (Object.hasOwn(properties, name)) addFieldError(fields, name, 'Is given twice');
        delete given[name];
      } else if (integers.has(name)) given[name] = toInteger(text);
    }
    return given;
  };
}

/** Prepares a JSON body. Values are not converted: "1" is not 1. A missing body lacks every required field. */
export function prepareJsonBody(schema: InputSchema, isOptional: boolean): PrepareInputValue {
  const properties = Object.entries(schema.properties ?? {});
  const nullable = properties.flatMap(([name, { whenNull }]) =>
    whenNull ? [[name, whenNull] as const] : [],
  );
  const mayBeEmpty = isOptional || (schema.required ?? []).length > 0;
  return (value, fields) => {
    if (value === undefined) {
      if (!mayBeEmpty) addFieldError(fields, 'body', 'Is required');
      return {};
    }
    if (typeof value === 'object' && value !== null) {
      const given = value as RawInput;
      for (const [name, meaning] of nullable) {
        if (given[name] !== null) continue;
        if (meaning.value === undefined) delete given[name];
        else given[name] = meaning.value;
      }
    }
    return value;
  };
}

function integerNames({ properties = {} }: InputSchema): string[] {
  return Object.keys(properties).filter((name) => [properties[name]!.type].flat().includes('integer'));
}

/** Returns the number for a plain decimal, and any other value unchanged. */
export function toInteger(text: unknown): unknown {
  return typeof text === 'string' && wholeNumberPattern.test(text) ? Number(text) : text;
}

const invalidParameters = Symbol('parameters that are no UTF-8');

type Query = Record<string | symbol, unknown>;

/** Parses a query string. `+` is a space, and a repeated parameter becomes an array. */
export function parseQueryString(text: string): Query {
  const query: Query = parse(text);
  if (text.includes('%') && decodeUrlText(text) === undefined)
    query[invalidParameters] = findInvalidNames(text);
  return query;
}

/**
 * Returns the names of parameters that are not valid UTF-8. `query` stands for parameters whose name itself is invalid.
 */
function invalidNames(query: Query): string[] {
  return (query[invalidParameters] as string[] | undefined) ?? [];
}

function decodeUrlText(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function findInvalidNames(text: string): string[] {
  const names = text
    .split('&')
    .filter((pair) => decodeUrlText(pair) === undefined)
    .map((pair) => decodeUrlText(pair.split('=', 1)[0]!.replaceAll('+', ' ')) ?? 'query');
  return [...new Set(names)];
}
