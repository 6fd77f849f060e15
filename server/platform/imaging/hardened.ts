/** sharp with our settings. Only sharp.ts imports this, and nothing else the library. */
import sharp from 'sharp';

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

// One thread a picture: the queue already runs as many pictures at once as there are cores, and threads within
// a picture cost CPU (about a tenth) and memory for nothing then.
sharp.concurrency(1);

export { sharp };

function isOlder(version: string): boolean {
  const parts = version.split(/[.-]/).map(Number);
  for (const [index, least] of oldestSafe.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part < least;
  }
  return version.includes('-');
}
