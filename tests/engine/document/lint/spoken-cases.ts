import { linkCases } from './link-cases.ts';
import { mediaCases } from './media-cases.ts';
import { placeCases } from './place-cases.ts';
import type { Case } from './room-builders.ts';
import { structureCases } from './structure-cases.ts';
import { timeCases } from './time-cases.ts';
import { tourCases } from './tour-cases.ts';

/** Rooms with a finding each, for all codes. */
export const spoken: readonly Case[] = [
  ...structureCases,
  ...timeCases,
  ...linkCases,
  ...mediaCases,
  ...placeCases,
  ...tourCases,
];

/** Mid-January of 2026: clocks change in March and October. */
export const NOW = Date.UTC(2026, 0, 15) / 1000;
