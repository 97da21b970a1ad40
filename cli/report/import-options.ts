import { Option } from 'commander';
import type { ImportMode } from '../../src/contract/entities.ts';
import { IMPORT_MODES } from '../words.ts';

/** What every import may be told. */
export interface ImportOptions {
  mode: ImportMode;
  prune: boolean;
  dryRun: boolean;
  json: boolean;
}

/** Options of every import. */
export const importOptions = (): Option[] => [
  new Option(
    '--mode <mode>',
    'create: refuse what is there; upsert: change the fields given; replace: as the file says',
  )
    .choices(IMPORT_MODES)
    .default('upsert'),
  new Option('--prune', 'remove what the files do not name').default(false),
  new Option('--dry-run', 'print what would be done, and do nothing').default(false),
  new Option('--json', 'print the report as JSON').default(false),
];
