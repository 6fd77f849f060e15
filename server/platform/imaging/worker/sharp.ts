/** sharp with our settings: nothing else imports the library, and no picture is opened without them. */
import sharp, { type SharpOptions } from 'sharp';

/** Below 0.35.4 a crafted AVIF can run code (GHSA-rgj7-g3m4-5g8c); 0.35.5 is the first we trust and test. */
const oldestSafe = [0, 35, 5] as const;

if (isOlder(sharp.versions.sharp ?? '0.0.0')) {
  throw new Error(`sharp ${sharp.versions.sharp} is not safe, ${oldestSafe.join('.')} or newer is needed`);
}

// Settings of the whole process, all of these. Loaders are an allow-list: by default an SVG named .png becomes a
// picture, with whatever it links to.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadWebp',
    'VipsForeignLoadHeif',
    'VipsForeignLoadTiff',
  ],
});

// Every upload is a new file, so that libvips' cache of operations only holds memory and descriptors.
sharp.cache(false);

// One thread a picture: there are as many workers as cores, and threads within a picture cost CPU (about a tenth)
// and memory for nothing then.
sharp.concurrency(1);

/**
 * How a user's file is opened, always. `error` refuses what is truncated or corrupt; `warning` would also refuse
 * the harmless slips that many cameras make. The pixel limits are checked before, by `readStructure`.
 */
export const inputOptions: SharpOptions = { failOn: 'error', limitInputPixels: false, sequentialRead: true };

export { sharp };

function isOlder(version: string): boolean {
  const parts = version.split(/[.-]/).map(Number);
  for (const [index, least] of oldestSafe.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part < least;
  }
  return version.includes('-');
}
