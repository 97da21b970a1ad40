import { z } from 'zod';
import { fileReference, hexColor, id, line, optional, text, timeZone } from '../../../engine/document/fields.ts';
import { ownTextsSchema } from './own-texts.ts';
import { stamp } from './stamp.ts';

export const embedDomainSchema = z.object({
  id: id.describe('Place in the list, from 1.'),
  domain: z.string().describe('Scheme and host, such as https://www.example.com.'),
});

/** The organization in its settings. */
export const organizationSchema = z.object({
  name: line().min(1, 'Give the organization a name.').describe('Name of the organization.'),
  meta_title: line().describe('Title for search engines.'),
  meta_description: text(1000).describe('Description for search engines.'),
  template_id: optional(id).describe('Template that new spaces begin with.'),
  font_file_id: optional(id).describe('Font of 3D texts whose template has none; null for the built-in one.'),
  font_file: optional(fileReference).describe('That font.'),
  font_color: optional(hexColor).describe(
    'Color of texts over rooms whose template has none; null for the built-in one.',
  ),
  embed_domains: z.array(embedDomainSchema).describe('Sites that may embed rooms.'),
  modules: z
    .array(z.object({ module: line(64).describe('Name of the service.') }))
    .describe('Services that are set up.'),
  texts: ownTextsSchema.describe('Own words in place of the viewer’s, by language and key.'),
  time_zone: optional(timeZone).describe(
    'IANA time zone of new start times and visibility windows, such as Europe/Amsterdam; null until one is chosen.',
  ),
  audit_days: z
    .int()
    .min(30, 'Use at least 30 days.')
    .max(3650, 'Use at most 3650 days.')
    .describe('Days for which the audit log is kept.'),
  shares_days: z
    .int()
    .min(1, 'Use at least one day.')
    .max(3650, 'Use at most 3650 days.')
    .nullable()
    .describe('Days for which what visitors share is kept; null until somebody removes it.'),
  has_statistics: z.boolean().describe('Whether visits are counted.'),
  has_statistics_poses: z.boolean().describe('Whether it is noted for 30 days where visitors were, without who.'),
  updated_at: stamp,
});
export type Organization = z.output<typeof organizationSchema>;

/** Embedding policy, for users who see an embed code. */
export const embeddingSchema = z.object({
  sites: z.array(z.string()).describe('Sites that may embed rooms, each as scheme, host and port.'),
  managers: z.array(z.string()).describe('Names of the users who may change the list, at most 10.'),
});
export type Embedding = z.output<typeof embeddingSchema>;

/** A service available to rooms. */
export const moduleSchema = z.object({
  module: line(64).describe('Name of the service.'),
  type: z.enum(['video', 'live_stream', 'feed']).describe('What it is for.'),
  name: line().describe('Name shown in selections.'),
});
export type Module = z.output<typeof moduleSchema>;

/** Public information about the organization. */
export const settingsSchema = z.object({
  name: line().describe('Name of the organization.'),
  meta_title: line().describe('Title for search engines.'),
  meta_description: text(1000).describe('Description for search engines.'),
  font_color: optional(hexColor).describe(
    'Color of texts over rooms whose template has none; null for the built-in one.',
  ),
  font_url: z.string().describe('Font of 3D texts; empty for the built-in one.'),
  embed_domains: z.array(z.string()).describe('Sites that may embed rooms.'),
  modules: z.array(z.object({ module: z.string() })).describe('Services that are set up.'),
  texts: ownTextsSchema.describe('Own words in place of the viewer’s, by language and key.'),
  has_statistics: z.boolean().describe('Whether pages tell of visits, so that they are counted.'),
  has_statistics_poses: z.boolean().describe('Whether they tell where visitors are as well.'),
  realtime_api_key: z.string().describe('Key that opens the realtime connection.'),
});
export type Settings = z.output<typeof settingsSchema>;
