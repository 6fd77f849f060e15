/** Checks what was typed by the same schemas as the API. */
import type { Static, TSchema } from 'typebox';
import { invalidFields } from '../http/errors.ts';
import { compileValidator, fieldErrorsOf } from '../http/validation.ts';

/** Returns `value` as the schema describes it; throws a 400 that names every bad field. */
export function checkInput<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  const validate = compileValidator({ schema, httpPart: 'body', method: '', url: '' });
  const { error } = validate(value) as { error?: readonly unknown[] };
  if (error) throw invalidFields(fieldErrorsOf(error));
  return value as Static<Schema>;
}
