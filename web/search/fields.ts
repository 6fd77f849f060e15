/** Fields of the query language with labels and examples. */
import type { MessageKey } from '../messages/messages.ts';

interface Field {
  name: string;
  label: MessageKey;
  example: string;
}

export const searchFields: Field[] = [
  { name: 'tag', label: 'fieldTag', example: 'tag:winter' },
  { name: 'camera', label: 'fieldCamera', example: 'camera:fuji' },
  { name: 'lens', label: 'fieldLens', example: 'lens:35mm' },
  { name: 'by', label: 'fieldPhotographer', example: 'by:ansel' },
  { name: 'taken', label: 'fieldTaken', example: 'taken:2024-05..2024-08' },
  { name: 'added', label: 'fieldAdded', example: 'added:>=2025' },
  { name: 'shape', label: 'fieldShape', example: 'shape:panorama' },
  { name: 'is', label: 'fieldStatus', example: 'is:liked' },
  { name: 'iso', label: 'fieldIso', example: 'iso:>=800' },
  { name: 'aperture', label: 'fieldAperture', example: 'aperture:<=2.8' },
  { name: 'focal', label: 'fieldFocal', example: 'focal:35..85' },
  { name: 'rating', label: 'fieldRating', example: 'rating:>=3' },
  { name: 'size', label: 'fieldSize', example: 'size:>10MB' },
  { name: 'type', label: 'fieldType', example: 'type:heic' },
  { name: 'album', label: 'album', example: 'album:12' },
];

export const searchFieldNames = searchFields.map(({ name }) => name);

export function getSearchFieldLabel(name: string): MessageKey {
  return searchFields.find((field) => field.name === name)!.label;
}
