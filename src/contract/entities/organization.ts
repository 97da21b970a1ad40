import { z } from 'zod';
import { fileReference, hexColor, id, line, optional, text, timeZone } from '../../../engine/document/fields.ts';
import { ownTextsSchema } from './own-texts.ts';
import { stamp } from './stamp.ts';
import { statementSchema } from './statement.ts';

/** Whether third-party content loads as specified, or only after the visitor has allowed it. */
const THIRD_PARTY_MODES = ['specified', 'ask'] as const;

const thirdParties = z
  .enum(THIRD_PARTY_MODES)
  .describe(
    'Content of other hosts in rooms, such as YouTube: `specified` loads it as the room specifies, `ask` only after the visitor has allowed it.',
  );

const tagManagerId = z
  .string()
  .trim()
  .regex(/^(?:GTM-[A-Z0-9]{4,12})?$/, 'Use a container ID such as GTM-ABC1234.')
  .describe('Container ID of Google Tag Manager on visitors’ pages, such as GTM-ABC1234; empty for none.');

export const embedDomainSchema = z.object({
  id: id.describe('Position in the list, starting at 1.'),
  domain: z.string().describe('Scheme and host, such as https://www.example.com.'),
});

/** The organization in its settings. */
export const organizationSchema = z.object({
  name: line().min(1, 'Give the organization a name.').describe('Organization name.'),
  meta_title: line().describe('Title for search engines.'),
  meta_description: text(1000).describe('Description for search engines.'),
  lists_rooms: z
    .boolean()
    .describe('Whether search engines may list all open rooms. Otherwise they list only the front page.'),
  template_id: optional(id).describe('Template of new spaces.'),
  font_file_id: optional(id).describe('Font of 3D texts if the template has none; null for the built-in font.'),
  font_file: optional(fileReference).describe('The font file.'),
  font_color: optional(hexColor).describe(
    'Color of texts over rooms if the template has none; null for the built-in color.',
  ),
  logo_file_id: optional(id).describe('Logo over rooms if the template has none; null for the built-in logo.'),
  logo_file: optional(fileReference).describe('The logo file.'),
  accent_color: optional(hexColor).describe(
    'Color of buttons and marks on visitors’ pages if structure and template have none; null for the built-in color.',
  ),
  embed_domains: z.array(embedDomainSchema).describe('Sites allowed to embed rooms.'),
  modules: z.array(z.object({ module: line(64).describe('Service name.') })).describe('Configured services.'),
  texts: ownTextsSchema.describe('Custom texts of the viewer, by language and key.'),
  time_zone: optional(timeZone).describe(
    'Default IANA time zone of new start times and visibility windows, such as Europe/Amsterdam; null if not set.',
  ),
  audit_days: z
    .int()
    .min(30, 'Use at least 30 days.')
    .max(3650, 'Use at most 3650 days.')
    .describe('Retention of the audit log in days.'),
  shares_days: z
    .int()
    .min(1, 'Use at least 1 day.')
    .max(3650, 'Use at most 3650 days.')
    .nullable()
    .describe('Retention of shared messages in days; null for no limit.'),
  originals_megabytes: z
    .int()
    .min(0, 'Use 0 or more.')
    .max(100_000, 'Use at most 100,000 MB.')
    .nullable()
    .describe(
      'Maximum size of original uploads to keep, in megabytes (10^6 bytes); null to keep all, 0 to keep none. Applies to new uploads that are changed when they are stored.',
    ),
  has_statistics: z.boolean().describe('Whether visits are counted.'),
  has_statistics_poses: z.boolean().describe("Whether visitors' positions are recorded anonymously, for 30 days."),
  third_parties: thirdParties,
  tag_manager_id: tagManagerId,
  statement: statementSchema.describe('The accessibility statement.'),
  updated_at: stamp,
});
export type Organization = z.output<typeof organizationSchema>;

/** Embedding policy, for users who see an embed code. */
export const embeddingSchema = z.object({
  sites: z.array(z.string()).describe('Origins allowed to embed rooms: scheme, host and port.'),
  managers: z.array(z.string()).describe('Names of users with the right to change the list, at most 10.'),
});
export type Embedding = z.output<typeof embeddingSchema>;

/** A service available to rooms. */
export const moduleSchema = z.object({
  module: line(64).describe('Service name.'),
  type: z.enum(['video', 'live_stream', 'feed']).describe('Type of the service.'),
  name: line().describe('Display name.'),
});
export type Module = z.output<typeof moduleSchema>;

/** Public information about the organization. */
export const settingsSchema = z.object({
  name: line().describe('Organization name.'),
  meta_title: line().describe('Title for search engines.'),
  meta_description: text(1000).describe('Description for search engines.'),
  font_color: optional(hexColor).describe(
    'Color of texts over rooms if the template has none; null for the built-in color.',
  ),
  logo_url: z.string().describe('URL of the logo if the template has none; empty for the built-in logo.'),
  accent_color: optional(hexColor).describe(
    'Color of buttons and marks if structure and template have none; null for the built-in color.',
  ),
  font_url: z.string().describe('Font URL of 3D texts; empty for the built-in font.'),
  embed_domains: z.array(z.string()).describe('Sites allowed to embed rooms.'),
  modules: z.array(z.object({ module: z.string() })).describe('Configured services.'),
  texts: ownTextsSchema.describe('Custom texts of the viewer, by language and key.'),
  has_statistics: z.boolean().describe('Whether pages send statistics about visits.'),
  has_statistics_poses: z.boolean().describe('Whether pages send the positions of visitors.'),
  third_parties: thirdParties,
  tag_manager_id: tagManagerId,
  statement_url: z.string().describe('Path of the accessibility statement; empty if there is none.'),
  realtime_api_key: z.string().describe('Key for the realtime connection.'),
});
export type Settings = z.output<typeof settingsSchema>;
