/** The folder of the built web gallery. */
import { fileURLToPath } from 'node:url';

export const webBuildFolder = fileURLToPath(new URL('../../../dist/web/', import.meta.url));
