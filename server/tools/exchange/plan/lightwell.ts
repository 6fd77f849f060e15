/** Names and marks of an export of Lightwell. `server/tools/exchange/schema.ts` has the schemas. */
import type { JsonObject } from './takeout-json.ts';

export const trashFolderName = 'Trash';
/** Name of the avatar's file. An import uses this file as the avatar and not as a photo. */
export const avatarFileName = 'lightwell-avatar.webp';

const kinds = {
  'lightwell-album': 'album',
  'lightwell-account': 'account',
  'lightwell-export': 'export',
} as const;

export function readLightwellKind(value: JsonObject | undefined): 'album' | 'account' | 'export' | undefined {
  const schema = value?.schema;
  return typeof schema === 'string' && Object.hasOwn(kinds, schema)
    ? kinds[schema as keyof typeof kinds]
    : undefined;
}

/** Files of an export that an import does not read. */
export const unreadExportFiles = /^(?:likes|favorites|comments|following|shares)\.json$|^missing\.txt$/;
