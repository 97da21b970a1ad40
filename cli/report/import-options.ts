import { type Command, Option } from 'commander';
import type { ImportMode } from '../../src/contract/entities.ts';
import { askFirst, type Safety } from '../safety/consent.ts';
import { IMPORT_MODES } from '../words.ts';

/** Options of every import. */
export interface ImportOptions extends Safety {
  mode: ImportMode;
  prune: boolean;
  json: boolean;
}

/** Adds the options of every import to a command. */
export function addImportOptions(command: Command): void {
  const options = [
    new Option(
      '--mode <mode>',
      'create: refuse what is there; upsert: change the fields given; replace: as the file says',
    )
      .choices(IMPORT_MODES)
      .default('upsert'),
    new Option('--prune', "remove items that aren't in the files").default(false),
    new Option('--json', 'print the result as JSON').default(false),
  ];
  for (const option of options) command.addOption(option);
  askFirst(command);
}
