import { stat } from 'node:fs/promises';
import { isRecord } from '../../engine/document/field-paths.ts';
import { type AddCommand, examples } from '../command.ts';
import { EXIT, wrongError } from '../failure.ts';
import { readJson } from '../io/read-file.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { mergeDocuments } from './merge-documents.ts';

async function documentOf(file: string): Promise<Record<string, unknown>> {
  // Git gives an empty file where two branches added the same one.
  if ((await stat(file).catch(() => null))?.size === 0) return {};
  const document = await readJson(file);
  if (isRecord(document)) return document;
  throw wrongError(`${file} is no room.`, 'A room is a JSON object.');
}

export const mergeRooms: AddCommand = (rooms) => {
  rooms
    .command('merge')
    .description('merge two versions of a room, element by element and field by field, into the file of ours')
    .argument('<base>', 'file of the version that both come from')
    .argument('<ours>', 'file of our version; it gets the result')
    .argument('<theirs>', 'file of the other version')
    .option('--out <file>', 'write the result elsewhere; - for standard output')
    .addHelpText(
      'after',
      `${examples('enfilade rooms merge base.json ours.json theirs.json')}

Ends with 1 when both changed the same in different ways: the result has ours, and standard error says where.

As git's merge driver, for rooms kept in git:
  $ git config merge.room.driver 'npx enfilade rooms merge %O %A %B'
  $ echo 'rooms/*.json merge=room' >> .gitattributes`,
    )
    .action(async (base: string, ours: string, theirs: string, { out = ours }: { out?: string }) => {
      const sides = [await documentOf(base), await documentOf(ours), await documentOf(theirs)] as const;
      const { document, conflicts } = mergeDocuments(...sides);
      await writeOutput(out, jsonText(document));
      if (conflicts.length === 0) return;
      process.stderr.write(
        `enfilade: Both sides changed the same. [conflict]\n${conflicts.map((text) => `  ${text}\n`).join('')}`,
      );
      process.exitCode = EXIT.wrong;
    });
};
