/**
 * The server's entry: `npm start`. JavaScript up to where the cache is on: the first TypeScript that is in no cache
 * loads the type stripper, which stays in memory, 11 MB.
 */
import { keepCompiledModules } from './platform/process/compile-cache.js';

keepCompiledModules();
const { main } = await import('./start.ts');
await main();
