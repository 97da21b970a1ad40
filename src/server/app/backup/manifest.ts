import { z } from 'zod';
import { KEY_FILE } from '../../core/secrets/seal-token.ts';

/** Version of the backup format. */
export const FORMAT = 1;
/** File and folder names in a backup. */
export const NAMES = { manifest: 'manifest.json', tables: 'tables', media: 'media' } as const;

/** Path of a table in a backup. */
export const tablePath = (name: string): string => `${NAMES.tables}/${name}.jsonl`;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
/** A path that stays inside the backup folder. */
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

/** A data folder file in the backup: media, or the key that encrypts tokens. */
const dataPath = path.refine(
  (text) => text === KEY_FILE || text.startsWith(`${NAMES.media}/`),
  'must be a file of media, or the key',
);

/** Contents of a backup, with hashes that verify it is complete and unchanged. */
export const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** Version of the program that wrote the backup. */
  program: z.string().max(64),
  at: z.iso.datetime(),
  /** Migrations applied to the database. */
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
  /** Files by path in the data folder. */
  files: z.array(z.object({ path: dataPath, bytes: z.int().nonnegative(), hash })).max(10_000_000),
});

export type Manifest = z.output<typeof manifestSchema>;

/** A backup that can't be written or read; the message is a sentence. */
export class BackupError extends Error {}
