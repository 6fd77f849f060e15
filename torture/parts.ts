/** All parts, in the order in which they run. */
import { kills } from './kills/part.ts';
import type { Part } from './part.ts';

export const parts: Part[] = [kills];
