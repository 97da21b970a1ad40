import { z } from 'zod';

/** When a row was last changed: an opaque stamp that an edit sends back. */
export const stamp = z.string().max(40).describe('When it was last changed; send it back with an edit.');
