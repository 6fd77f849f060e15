/** All parts, in the order in which they run. */
import { api } from './api/part.ts';
import { clients } from './clients/part.ts';
import { clock } from './clock/part.ts';
import { disk } from './disk/part.ts';
import { images } from './images/part.ts';
import { kills } from './kills/part.ts';
import { model } from './model/part.ts';
import type { Part } from './part.ts';
import { power } from './power/part.ts';
import { soak } from './soak/part.ts';

export const parts: Part[] = [kills, power, disk, clock, clients, soak, model, api, images];
