import { randomUUID } from 'node:crypto';
import type { TourMergePlan } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';

interface Options extends Safety {
  name: string;
  json: boolean;
}

/** The plan or the result of a merge, as text. */
function mergeText(name: string, plan: TourMergePlan, isTried: boolean): string {
  const { places, redirects, notes, address, job, room_id } = plan;
  const nameOf = new Map(places.map((place) => [place.room_id, place.name]));
  const width = Math.max(...places.map((place) => place.name.length));
  return [
    `${isTried ? 'Would create' : `Room ${room_id}:`} ${name}, ${places.length} places${address === null ? '' : `, at ${address}`}`,
    ...places.map(({ name: title, links, elements }, index) => {
      const linked = `${links.length} ${links.length === 1 ? 'link' : 'links'}`;
      return `  ${String(index + 1).padStart(3)}  ${title.padEnd(width)}  ${linked}  ${elements} elements`;
    }),
    ...redirects.map(({ path, room_id: to }) => `  redirect  ${path} → ${nameOf.get(to)}`),
    ...notes.map((note) => `  note  ${note}`),
    ...(job === null ? [] : [`  Run \`enfilade undo ${job}\` to undo this.`]),
    '',
  ].join('\n');
}

export const mergeTours: AddCommand = (tours) => {
  const command = tours
    .command('merge')
    .description('merge spaces with a panorama into one tour; doors between them become links')
    .argument('<space...>', 'names or IDs of 2 to 200 spaces, in order; visitors start in the first')
    .requiredOption('--name <name>', 'name of the tour')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      `${examples('enfilade tours merge Hall Kitchen Attic --name Mill --dry-run')}

The structure of the first space shows the tour; the addresses of the others lead to their places. To undo it, use enfilade
undo with the job number that it prints.`,
    )
    .action(
      connected(async ({ client }, spaces: string[], options: Options) => {
        const { findRoom } = await import('../rooms/find-room.ts');
        const { jsonText } = await import('../io/write-output.ts');
        const { name, json } = options;
        await withConsent(options, async (isTried) => {
          const rooms: number[] = [];
          for (const space of spaces) rooms.push(await findRoom(client, space));
          const plan = await client.tours.merge({
            body: { name, rooms, dry_run: isTried },
            idempotencyKey: randomUUID(),
          });
          process.stdout.write(json ? jsonText(plan) : mergeText(name, plan, isTried));
          return true;
        });
      }),
    );
  askFirst(command);
};
