import type { Client } from '../../src/contract/client.ts';
import type { Block, BulkJob } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { wrongError } from '../failure.ts';
import { jsonText } from '../io/write-output.ts';
import { eachEntry } from '../report/pages.ts';
import { runBulk } from '../report/run-bulk.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';

interface Options extends Safety {
  overwrite: boolean;
  undo?: string;
  json: boolean;
}

function refuseProblems({ problems, state }: BulkJob): void {
  if (state !== 'ended') throw wrongError('The job was interrupted.', 'Run the command again for the rest.');
  if (problems.length > 0)
    throw wrongError(
      'Some places were left as they are.',
      '--overwrite updates changed places, too.',
      problems.map((reason) => ({ reason })),
    );
}

async function update(client: Client, block: Block, { overwrite, json }: Options, isTried: boolean): Promise<boolean> {
  const { id, version: newest } = block;
  let [wanted, changed] = [0, 0];
  for await (const place of eachEntry((page) => client.blocks.places({ params: { id }, query: page }))) {
    if (place.is_changed) changed++;
    if (overwrite ? place.is_changed || place.version < newest : !place.is_changed && place.version < newest) wanted++;
  }
  const { room_ids } = await client.blocks.read({ params: { id } });
  if (isTried) {
    const left = changed > 0 ? `; ${changed} changed: ${overwrite ? 'overwritten' : 'skipped'}` : '';
    const text = `would update ${wanted} of ${block.places} places to version ${newest}${left}\n`;
    process.stdout.write(json ? jsonText({ version: newest, places: block.places, update: wanted, changed }) : text);
    return wanted > 0;
  }
  if (room_ids.length === 0) {
    process.stdout.write(json ? jsonText({ changed: [] }) : 'No places.\n');
    return false;
  }
  const fields = { block_id: id, overwrite };
  const job = await runBulk(client, { action: 'rooms.update_block', ids: room_ids, fields });
  const undo = job.changed.length > 0 ? ` Run \`enfilade blocks update ${id} --undo ${job.id}\` to undo this.` : '';
  process.stdout.write(json ? jsonText(job) : `Updated in ${job.changed.length} of ${job.total} rooms.${undo}\n`);
  refuseProblems(job);
  return true;
}

/** Undoes an update. @throws CliError if it can't be undone, or places have been changed since */
async function undoUpdate(client: Client, jobId: number, json: boolean, isTried: boolean): Promise<boolean> {
  const { action, changed, restorable } = await client.bulk.read({ params: { id: jobId } });
  if (action !== 'rooms.update_block' || restorable.length === 0)
    throw wrongError(`Job ${jobId} has nothing to undo.`, 'Use the number that `blocks update` printed.');
  if (isTried) {
    process.stdout.write(json ? jsonText({ rooms: changed }) : `would undo it in ${restorable.length} rooms\n`);
    return true;
  }
  const job = await runBulk(client, { action: 'bin.restore', ids: restorable });
  if (json) process.stdout.write(jsonText(job));
  else process.stdout.write(`Undone in ${job.changed.length} of ${job.total} rooms.\n`);
  refuseProblems(job);
  return true;
}

export const updateBlock =
  (find: (client: Client, wanted: string) => Promise<Block>): AddCommand =>
  (blocks) => {
    const command = blocks
      .command('update')
      .description('update all places of a block to its newest version; exit code 1 if places were left')
      .argument('<block>', 'ID or name')
      .option('--overwrite', 'update places with changes of their own, too', false)
      .option('--undo <job>', 'undo an earlier update by its number; later changes stay')
      .option('--json', 'print JSON', false)
      .addHelpText(
        'after',
        examples('enfilade blocks update Desk --dry-run', 'enfilade blocks update Desk --overwrite --yes'),
      )
      .action(
        connected(async ({ client }, wanted: string, options: Options) => {
          const block = await find(client, wanted);
          await withConsent(options, (isTried) =>
            options.undo === undefined
              ? update(client, block, options, isTried)
              : undoUpdate(client, Number(options.undo), options.json, isTried),
          );
        }),
      );
    askFirst(command);
  };
