/** Pieces of input that several modules take. */
import { Type } from 'typebox';

export const idField = (what: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: `Id of the ${what}` });

export const idParams = (what: string) => Type.Object({ id: idField(what) });

/** Text as a person types it: bounded, no control characters, no broken Unicode. Lengths are characters. */
export const textField = (maxLength: number, description: string) =>
  Type.String({ maxLength, format: 'text', description });

/** 0 or 1. */
export const flagField = (description: string) =>
  Type.Unsafe<0 | 1>({ type: 'integer', enum: [0, 1], description });
