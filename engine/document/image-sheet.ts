import { z } from 'zod';
import { id } from './fields.ts';

/** A sheet of small images, in rows from the top left; `SHEET` is its layout. */
export const imageSheetSchema = z.object({
  url: z.string().describe('URL of the sheet. Until it is packed, the response has status 202 and no content.'),
  file_ids: z.array(id).describe('Files that the sheet shows, in order.'),
});
export type ImageSheet = z.output<typeof imageSheetSchema>;
