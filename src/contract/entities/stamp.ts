import { z } from 'zod';

/** Opaque version of a row, sent back with an edit to detect conflicts. */
export const stamp = z.string().max(40).describe('When it was last changed; send it back with an edit.');
