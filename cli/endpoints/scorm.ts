import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InvalidArgumentError, Option } from 'commander';
import { type AddCommand, connected, examples } from '../command.ts';
import { temporaryFolder } from '../io/temporary.ts';
import { SCORM_EDITIONS } from '../words.ts';
import { findEndpoint } from './find-endpoint.ts';

interface ScormOptions {
  out: string;
  edition: string;
  complete: { completion: string; amount: string };
}

/** When a learner has completed the room. */
function completionOf(text: string): ScormOptions['complete'] {
  const [, completion, amount = '1'] = /^(entered|(?:minutes|opened)(?==))(?:=([1-9]\d{0,2}))?$/.exec(text) ?? [];
  if (completion === undefined || (completion === 'entered' && text !== completion))
    throw new InvalidArgumentError('Use entered, minutes=N or opened=N, with N from 1 to 240.');
  return { completion, amount };
}

export const scorm: AddCommand = (endpoints) => {
  endpoints
    .command('scorm')
    .description('write a SCORM package that shows a structure in a learning management system')
    .argument('<path>', 'public path or ID')
    .requiredOption('--out <file>', 'ZIP file')
    .addOption(new Option('--edition <edition>', 'SCORM edition').choices(SCORM_EDITIONS).default('2004'))
    .option(
      '--complete <when>',
      'completed when entered, after minutes=N, or once opened=N elements are',
      completionOf,
      completionOf('entered'),
    )
    .addHelpText(
      'after',
      examples(
        'enfilade endpoints scorm museum/hall --out hall.zip',
        'enfilade endpoints scorm safety --edition 1.2 --complete opened=8 --out safety.zip',
      ),
    )
    .action(
      connected(async (connection, path: string, { out, edition, complete }: ScormOptions) => {
        const { calls } = await import('../../src/contract/calls.ts');
        const { id, name } = await findEndpoint(connection.client, path);
        const target = resolve(out);
        const draft = join(temporaryFolder(dirname(target)), 'scorm.zip');
        const query = { edition, ...complete };
        const stream = await connection.download(calls.endpoints.scormPackage, { id }, query);
        await pipeline(Readable.from(stream), createWriteStream(draft));
        await rename(draft, target);
        process.stdout.write(`${name}: ${out}\n`);
      }),
    );
};
