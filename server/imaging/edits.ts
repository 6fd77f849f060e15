import { type Static, Type } from 'typebox';
import type { Encoded } from './formats.ts';
import type { Source } from './render.ts';

export const EditStep = Type.Union([
  Type.Object({ action: Type.Literal('flip'), params: Type.Object({ direction: Type.Enum(['h', 'v']) }) }),
]);
export type EditStep = Static<typeof EditStep>;

/** Width, height, and for an animation its frames. */
export type ImageSize = { width: number; height: number; frames?: number };

/** The size after `step`; throws EditError naming every field that does not fit an image of `size`. */
export function checkStep(_size: ImageSize, _step: EditStep): { width: number; height: number } {
  throw new Error('not yet');
}

/** The original with all steps replayed, encoded once. */
export type EditedImage = {
  image: Encoded;
  thumb: Encoded;
  preview: Encoded;
  width: number;
  height: number;
  placeholder: string;
};

export async function renderEdits(_source: Source, _steps: EditStep[]): Promise<EditedImage> {
  throw new Error('not yet');
}
