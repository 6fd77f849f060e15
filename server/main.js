/**
 * Entry point of the server, used by `npm start`. Plain JavaScript, because a TypeScript file without a cached
 * compilation loads Node's type stripper. The stripper stays in memory (11 MB), so the compile cache must be on first.
 */

/** Oldest major version of Node that has all functions of this program. */
const oldestNode = 26;

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  console.error(
    `Lightwell needs Node ${oldestNode}, and this is Node ${process.versions.node}. Run npm ci and npm start, which ` +
      'bring their own Node.',
  );
  process.exit(1);
}
// An older Node cannot even link the modules below, so they are loaded after the check.
const { enableOwnCompileCache } = await import('./platform/process/compile-cache.js');
enableOwnCompileCache();
const { runServerProcess } = await import('./start.ts');
await runServerProcess();
