import { z } from 'zod';

/** File by which a folder is recognized as a static site. */
export const STATIC_SITE_FILE = 'enfilade-site.json';

/** Description of a static site, in its root folder. */
export const staticSiteManifest = z.object({
  format: z.literal('enfilade-site'),
  version: z.literal(1),
  /** Version of the program that wrote it. */
  program: z.string(),
  /** Origin in its canonical URLs. */
  origin: z.string(),
  /** Public paths of its structures. */
  pages: z.array(z.string()),
  /** Structures that were left out, and why. */
  skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** Paths of pages and files that could not be read. */
  missing: z.array(z.string()),
  /** Paths of its other files. */
  files: z.array(z.string()),
});
export type StaticSiteManifest = z.output<typeof staticSiteManifest>;
