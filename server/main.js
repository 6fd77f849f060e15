/**
 * Entry point of the server, used by `npm start`. Plain JavaScript, because a TypeScript file without a cached
 * compilation loads Node's type stripper. The stripper stays in memory (11 MB), so the compile cache must be on first.
 */
import { enableOwnCompileCache } from './platform/process/compile-cache.js';

enableOwnCompileCache();
const { runServerProcess } = await import('./start.ts');
await runServerProcess();
