import { Ajv } from 'ajv';
import type { TSchema } from 'typebox';
import { EditError } from '../errors.ts';
import { defaultMegapixels } from '../limits.ts';
import { type EditAction, editActions, filterParamSchemas, type ImageSize } from './actions.ts';
import { editFilters } from './filters.ts';

type FieldErrors = Record<string, string[]>;

const ajv = new Ajv({ allErrors: true, strict: false });

/**
 * Returns the size of an image after `step`, which may be any input. Throws EditError that names every field that is
 * invalid or does not fit the image.
 */
export function checkEditStep(
  size: ImageSize,
  step: { action: string; params: unknown },
  maxMegapixels = defaultMegapixels,
): { width: number; height: number } {
  const action = findAction(step.action);
  refuseIfAny(schemaErrors(step));
  const complaints = Object.entries(action.complaints?.(size, step.params) ?? {});
  refuseIfAny(Object.fromEntries(complaints.map(([field, message]) => [`params.${field}`, [message]])));
  const result = action.size(size, step.params);
  const pixels = result.width * result.height * (size.frames ?? 1);
  if (pixels > maxMegapixels * 1e6) refuseIfAny(tooLarge(step.action, maxMegapixels));
  return result;
}

function findAction(name: string): EditAction<unknown> {
  const isKnown = Object.hasOwn(editActions, name);
  if (!isKnown) throw new EditError({ action: [`Must be one of ${Object.keys(editActions).join(', ')}`] });
  return editActions[name as keyof typeof editActions] as EditAction<unknown>;
}

function schemaErrors({ action, params }: { action: string; params: unknown }): FieldErrors {
  if (typeof params !== 'object' || params === null) return { params: ['Must be an object'] };
  if (action !== 'filter')
    return validateParams(editActions[action as keyof typeof editActions].params, params);
  const { type } = params as { type?: unknown };
  if (typeof type !== 'string' || !Object.hasOwn(editFilters, type)) {
    return { 'params.type': [`Must be one of ${Object.keys(editFilters).join(', ')}`] };
  }
  return Object.hasOwn(filterParamSchemas, type) ? validateParams(filterParamSchemas[type]!, params) : {};
}

function validateParams(schema: TSchema, params: object): FieldErrors {
  const errors: FieldErrors = {};
  const add = (field: string, message: string) => {
    errors[field] = [...(errors[field] ?? []), message];
  };
  const validate = ajv.compile(schema);
  if (validate(params)) return errors;
  for (const { keyword, instancePath, message = 'Is invalid', params: details } of validate.errors!) {
    if (keyword === 'required') add(`params.${details.missingProperty}`, 'Is required');
    else if (keyword === 'enum') {
      add(fieldAt(instancePath), `Must be one of ${details.allowedValues.join(', ')}`);
    } else {
      // The messages of Ajv start with a lowercase letter, unlike all others.
      add(fieldAt(instancePath), message.charAt(0).toUpperCase() + message.slice(1));
    }
  }
  return errors;
}

function fieldAt(instancePath: string): string {
  return `params${instancePath.replaceAll('/', '.')}`;
}

/**
 * Returns the error for a result that is too large. For `resize` the error names both sides. For rotating a long
 * animation the error can name only the action.
 */
function tooLarge(action: string, maxMegapixels: number): FieldErrors {
  const message = `Makes the image larger than ${maxMegapixels} megapixels over all frames`;
  if (action !== 'resize') return { action: [message] };
  return { 'params.width': [message], 'params.height': [message] };
}

function refuseIfAny(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw new EditError(errors);
}
