/** Schema of what a sidecar says about a photo that is already here. */
import type { Static } from 'typebox';
import { Type } from '../../../platform/schema/type.ts';
import { UploadFields } from '../schema.ts';
import { sidecarFields } from '../sidecar-fields.ts';

const { title, description, tags } = UploadFields.properties;

export const Sidecar = Type.Object(
  { title, description, tags, ...sidecarFields },
  {
    title: 'Sidecar',
    examples: [{ description: 'Above the village', utc_time: '2026-03-01 08:30:00', place: '46.5,7.96' }],
  },
);
export type Sidecar = Static<typeof Sidecar>;
