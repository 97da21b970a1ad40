import { z } from 'zod';

/** Opaque version of a row, sent back with an edit to detect conflicts. */
export const stamp = z
  .string()
  .max(40)
  .describe('Time of the last change. Send it with an update to detect conflicts.');
