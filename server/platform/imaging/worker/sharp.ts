/**
 * The sharp library with this project's settings. No other module imports sharp, so every picture is opened with these
 * settings.
 */
import sharp, { type SharpOptions } from 'sharp';

/**
 * Oldest accepted version of sharp. Before 0.35.4 a crafted AVIF could run code (GHSA-rgj7-g3m4-5g8c); 0.35.5 is the
 * first version that was tested.
 */
const oldestSafe = [0, 35, 5] as const;

if (isOlder(sharp.versions.sharp ?? '0.0.0')) {
  throw new Error(
    `sharp ${sharp.versions.sharp} has known security problems; install version ` +
      `${oldestSafe.join('.')} or newer`,
  );
}

// These settings apply to the whole process. Only the listed loaders are allowed. By default an SVG named .png would be
// rendered, including everything it links to.
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

// Every upload is a new file, so libvips' operation cache would only hold memory and descriptors.
sharp.cache(false);

// Each picture uses one thread, because there are as many workers as cores. More threads per picture would cost about a
// tenth more CPU and memory without any gain.
sharp.concurrency(1);

/**
 * Options for opening a user's file. `error` refuses truncated and corrupt files; `warning` would also refuse harmless
 * mistakes of many cameras. `readPictureStructure` has checked the pixel limits before.
 */
export const sharpInputOptions: SharpOptions = {
  failOn: 'error',
  limitInputPixels: false,
  sequentialRead: true,
};

export { sharp };

function isOlder(version: string): boolean {
  const parts = version.split(/[.-]/).map(Number);
  for (const [index, least] of oldestSafe.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part < least;
  }
  return version.includes('-');
}
