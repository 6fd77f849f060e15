import type { Sharp } from 'sharp';
import type { Static, TSchema } from 'typebox';
import { Type } from '../../schema/type.ts';
import { maxImageSide } from '../limits.ts';
import { computeToneTable, editFilters } from './filters.ts';
import { computeStraightenedSize, computeTurnedSize } from './straighten.ts';

/** Pixels of one frame, and the number of frames of an animation. */
export interface ImageSize {
  width: number;
  height: number;
  frames?: number;
}
interface Size {
  width: number;
  height: number;
}

/** Messages about wrong parameters by field: `{width: ['…']}`. */
export type EditParameterErrors = Record<string, string>;

/**
 * An edit action. `size` returns the size of the result. `complaints` returns messages about parameters that pass the
 * schema but do not fit the image's size. `apply` processes one upright frame without other pending operations.
 * `toneTable` returns the new values of the 256 values of a color, for a step that sharp has no operation for.
 */
export interface EditAction<Params> {
  params: TSchema;
  size: (size: Size, params: Params) => Size;
  complaints?: (size: Size, params: Params) => EditParameterErrors;
  apply: (image: Sharp, params: Params, size: Size) => Sharp;
  toneTable?: (params: Params) => Uint8Array | undefined;
}

const CropParams = Type.Object(
  {
    x: Type.Integer({ minimum: 0, description: 'Left edge, in pixels of the current image' }),
    y: Type.Integer({ minimum: 0 }),
    width: Type.Integer({ minimum: 1, examples: [800] }),
    height: Type.Integer({ minimum: 1, examples: [600] }),
  },
  { title: 'CropParams' },
);

const RotateParams = Type.Object(
  { angle: Type.Enum([90, 180, 270], { description: 'Degrees, clockwise' }) },
  { title: 'RotateParams' },
);

const StraightenParams = Type.Object(
  {
    angle: Type.Number({ minimum: -45, maximum: 45, description: 'Degrees, clockwise', examples: [-1.5] }),
  },
  {
    title: 'StraightenParams',
    description: 'Turns the image, and crops it to the largest rectangle without empty corners',
  },
);

const FlipParams = Type.Object(
  {
    direction: Type.Enum(['h', 'v'], { description: 'h mirrors left and right, v mirrors top and bottom' }),
  },
  { title: 'FlipParams' },
);

/** Requires a width or a height. The rule is part of the schema, so that one response names all errors of a request. */
function needsOneSide({ width, height }: Record<string, unknown>): EditParameterErrors | undefined {
  if (width !== undefined || height !== undefined) return undefined;
  return { width: 'Is required, unless height is given', height: 'Is required, unless width is given' };
}

const ResizeParams = Type.Object(
  {
    width: Type.Optional(Type.Integer({ minimum: 1, maximum: maxImageSide })),
    height: Type.Optional(Type.Integer({ minimum: 1, maximum: maxImageSide })),
  },
  {
    title: 'ResizeParams',
    description: 'If one side is missing, the aspect ratio is kept',
    rule: needsOneSide,
  },
);

const crop: EditAction<Static<typeof CropParams>> = {
  params: CropParams,
  size: (_size, { width, height }) => ({ width, height }),
  complaints: (size, { x, y, width, height }) => ({
    ...(x + width > size.width && {
      [x < size.width ? 'width' : 'x']: `Extends beyond the image's ${size.width} pixels`,
    }),
    ...(y + height > size.height && {
      [y < size.height ? 'height' : 'y']: `Extends beyond the image's ${size.height} pixels`,
    }),
  }),
  apply: (image, { x, y, width, height }) => image.extract({ left: x, top: y, width, height }),
};

const rotate: EditAction<Static<typeof RotateParams>> = {
  params: RotateParams,
  size: ({ width, height }, { angle }) =>
    angle === 180 ? { width, height } : { width: height, height: width },
  apply: (image, { angle }) => image.rotate(angle),
};

const straighten: EditAction<Static<typeof StraightenParams>> = {
  params: StraightenParams,
  size: (size, { angle }) => computeStraightenedSize(size, angle),
  apply: (image, { angle }, size) => {
    const inner = computeStraightenedSize(size, angle);
    const turned = computeTurnedSize(size, angle);
    return image.rotate(angle).extract({
      left: Math.max(0, Math.floor((turned.width - inner.width) / 2)),
      top: Math.max(0, Math.floor((turned.height - inner.height) / 2)),
      ...inner,
    });
  },
};

const flip: EditAction<Static<typeof FlipParams>> = {
  params: FlipParams,
  size: ({ width, height }) => ({ width, height }),
  apply: (image, { direction }) => (direction === 'h' ? image.flop() : image.flip()),
};

const resize: EditAction<Static<typeof ResizeParams>> = {
  params: ResizeParams,
  size: ({ width, height }, params) => ({
    width: params.width ?? Math.max(1, Math.round((width * params.height!) / height)),
    height: params.height ?? Math.max(1, Math.round((height * params.width!) / width)),
  }),
  complaints: (size, params) => {
    const missing = needsOneSide(params);
    if (missing) return missing;
    const { width, height } = resize.size(size, params);
    return {
      ...(width > maxImageSide && { height: `Makes the image wider than ${maxImageSide} pixels` }),
      ...(height > maxImageSide && { width: `Makes the image higher than ${maxImageSide} pixels` }),
    };
  },
  apply: (image, params, size) => image.resize({ ...resize.size(size, params), fit: 'fill' }),
};

const withoutValue = Object.keys(editFilters).filter((type) => !editFilters[type]!.range);
const withValue = Object.keys(editFilters).filter((type) => editFilters[type]!.range);

interface FilterParams {
  type: string;
  value?: number | undefined;
}

/** Schemas of the parameters by filter. `value` is required for filters that use it. */
export const filterParamSchemas: Record<string, TSchema> = Object.fromEntries(
  withValue.map((type) => [
    type,
    Type.Object(
      { type: Type.Literal(type), value: Type.Number(editFilters[type]!.range) },
      { title: `${capitalizeWord(type)}Filter` },
    ),
  ]),
);

const PlainFilterParams = Type.Object(
  {
    type: Type.Enum(withoutValue),
    value: Type.Optional(Type.Unknown({ description: 'Ignored' })),
  },
  { title: 'PlainFilter' },
);

const filter: EditAction<FilterParams> = {
  params: Type.Unsafe<FilterParams>({
    title: 'FilterParams',
    type: 'object',
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: [PlainFilterParams, ...Object.values(filterParamSchemas)],
  }),
  size: ({ width, height }) => ({ width, height }),
  apply: (image, { type, value }) => editFilters[type]!.apply?.(image, value ?? 0) ?? image,
  toneTable: ({ type, value }) => computeToneTable(type, value ?? 0),
};

export const editActions = { crop, rotate, straighten, flip, resize, filter };
export type EditActionName = keyof typeof editActions;

function capitalizeWord(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}

type ParamsOf<Name extends EditActionName> = Parameters<(typeof editActions)[Name]['apply']>[1];

/** Maximum steps in a photo's history. Replaying takes time for each step, and manual editing needs far fewer. */
export const maxEditSteps = 100;

/** One step of a photo's history, as requests and the history contain it. */
export type EditStep = { [Name in EditActionName]: { action: Name; params: ParamsOf<Name> } }[EditActionName];

/** JSON Schema of an edit step. The schema cannot check whether the step fits an image; `checkEditStep` does that. */
export const EditStep = Type.Unsafe<EditStep>({
  title: 'EditStep',
  type: 'object',
  required: ['action', 'params'],
  discriminator: { propertyName: 'action' },
  oneOf: Object.entries(editActions).map(([action, { params }]) =>
    Type.Object({ action: Type.Literal(action), params }, { title: `${capitalizeWord(action)}Step` }),
  ),
});
