/**
 * Rules beyond JSON Schema, as part of a schema: `Type.Object({…}, { rule })`. They are checked with everything
 * else, so that their complaints stand in the same answer.
 */
import type { FuncKeywordDefinition } from 'ajv';

/** What rules may ask beside the value. */
export interface RuleContext {
  /** Seconds since 1970, UTC. */
  clock(): number;
  /** Whether webhooks may lead into private networks. */
  allowPrivateTargets: boolean;
}

/**
 * What is wrong with a value: a message, or messages by field of an object; undefined when nothing is. A rule is
 * asked only of a value that has its schema's own type and length; what is inside may be of any type.
 */
// biome-ignore lint/suspicious/noExplicitAny: each rule knows the type that its schema has
export type Rule = (value: any, context: RuleContext) => string | Record<string, string> | undefined;

interface Parent {
  type?: string | string[];
  maxLength?: number;
  maxItems?: number;
}

export const ruleKeyword: FuncKeywordDefinition = {
  keyword: 'rule',
  compile(rule: Rule, schema) {
    const parent = schema as Parent;
    const types = [parent.type ?? []].flat();
    const max = parent.maxLength ?? parent.maxItems ?? Number.POSITIVE_INFINITY;
    const check = function (this: RuleContext, value: unknown): boolean {
      if (!types.includes(typeOf(value)) || lengthOf(value) > max) return true;
      const found = rule(value, this);
      if (found === undefined) return true;
      const fields = typeof found === 'string' ? [[undefined, found]] : Object.entries(found);
      if (fields.length === 0) return true;
      check.errors = fields.map(([field, message]) => ({ keyword: 'rule', message, params: { field } }));
      return false;
    };
    check.errors = [] as object[];
    return check;
  },
};

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : 0;
}
