/**
 * The server's entry: `npm start`. JavaScript up to where the cache is on: the first TypeScript that is in no cache
 * loads the type stripper, which stays in memory, 11 MB.
 */
import { startWithAllocator } from './platform/process/allocator.js';
import { keepCompiledModules } from './platform/process/compile-cache.js';

startWithAllocator();
keepCompiledModules();
const { main } = await import('./start.ts');
await main();
