/** The list of all torture parts, in the order of a run. */
import { api } from './api/part.ts';
import { clients } from './clients/part.ts';
import { clock } from './clock/part.ts';
import { dependencies } from './dependencies/part.ts';
import { disk } from './disk/part.ts';
import { images } from './images/part.ts';
import { kills } from './kills/part.ts';
import { model } from './model/part.ts';
import type { Part } from './part.ts';
import { power } from './power/part.ts';
import { soak } from './soak/part.ts';
import { stops } from './stops/part.ts';
import { testsPart } from './tests.ts';
import { visibility } from './visibility/part.ts';

export const parts: Part[] = [
  testsPart,
  kills,
  stops,
  power,
  disk,
  dependencies,
  clock,
  clients,
  soak,
  model,
  visibility,
  api,
  images,
];
