/** All parts, in the order in which they run. */
import type { Part } from './part.ts';

export const parts: Part[] = [];
