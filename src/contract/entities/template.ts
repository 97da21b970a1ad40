import type { z } from 'zod';
import { templateSchema } from '../../../engine/document/template.ts';
import { entryPolicies } from './rights.ts';
import { stamp } from './stamp.ts';

export const adminTemplateSchema = templateSchema.extend({ updated_at: stamp, policies: entryPolicies });
export type AdminTemplate = z.output<typeof adminTemplateSchema>;
