import { z } from 'zod';
import { KEY_FILE } from '../../core/secrets/seal-token.ts';

/** Version of the form of backups. */
export const FORMAT = 1;
/** Names in a backup. */
export const NAMES = { manifest: 'manifest.json', tables: 'tables', media: 'media' } as const;

/** Where a table stands in a backup. */
export const tablePath = (name: string): string => `${NAMES.tables}/${name}.jsonl`;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
/** A path that stays in the folder of the backup. */
const path = z
  .string()
  .max(1024)
  .refine(
    (text) =>
      !text.startsWith('/') &&
      !text.includes('\\') &&
      text.split('/').every((part) => part && part !== '..' && part !== '.'),
    'must be a path inside of the backup',
  );

/** A file of the data folder that comes with a backup: of media, or the key that seals tokens. */
const dataPath = path.refine(
  (text) => text === KEY_FILE || text.startsWith(`${NAMES.media}/`),
  'must be a file of media, or the key',
);

/** What a backup holds: enough to tell whether all of it is there, unchanged. */
export const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** Version of the program that wrote it. */
  program: z.string().max(64),
  at: z.iso.datetime(),
  /** Migrations that the database had. */
  migrations: z.array(z.string().max(200)).min(1).max(1000),
  tables: z
    .array(
      z.object({
        name: z.string().regex(/^[a-z_]{1,63}$/),
        columns: z
          .array(z.string().regex(/^[a-z_]{1,63}$/))
          .min(1)
          .max(200),
        last_id: z.int().nonnegative(),
        rows: z.int().nonnegative(),
        hash,
      }),
    )
    .max(1000),
  /** Files by their path in the data folder. */
  files: z.array(z.object({ path: dataPath, bytes: z.int().nonnegative(), hash })).max(10_000_000),
});

export type Manifest = z.output<typeof manifestSchema>;

/** Why a backup cannot be written or read, as a sentence. */
export class BackupError extends Error {}
