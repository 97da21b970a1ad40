import type { Client } from '../../src/contract/client.ts';
import type { Publication, PublicationEntry } from '../../src/contract/entities.ts';
import { wrongError } from '../failure.ts';
import { jsonText } from '../io/write-output.ts';

/** A room to publish, with options. */
interface Publishing {
  id: number;
  body: { revision_id?: number; at?: string; zone?: string | undefined };
  json: boolean;
}

const momentOf = ({ at, zone }: PublicationEntry): string => (zone === null ? at : `${at} (${zone})`);
const entryText = (entry: PublicationEntry): string =>
  `revision ${entry.revision_id}${entry.revision_name && ` "${entry.revision_name}"`}, ${momentOf(entry)}`;

const lines = (...texts: (string | false)[]): string =>
  texts
    .filter((text) => text !== false)
    .map((text) => `${text}\n`)
    .join('');

/** The publication state of a room, as text: current, scheduled and past publications, unpublished changes, structures. */
const stateText = ({ published, scheduled, past, changes, changes_count, structures }: Publication): string =>
  lines(
    published ? `Published: ${entryText(published)}` : 'Nothing is published.',
    scheduled !== null && `Scheduled: ${entryText(scheduled)}`,
    ...changes.map((change) => `  ${change}`),
    changes_count > changes.length && `  and ${changes_count - changes.length} more`,
    ...past.map((entry) => `Previous: ${entryText(entry)}`),
    ...structures.map(
      ({ path, shows }) => `${path} shows ${shows === 'edited' ? 'every edit' : 'the published version'}.`,
    ),
  );

/** The command that reverses a publication. */
function wayBack(id: number, before: Publication): string {
  if (before.published)
    return `Run \`enfilade rooms publish ${id} --revision ${before.published.revision_id}\` to go back.`;
  return `Run \`enfilade rooms unpublish ${id}\` to undo this.`;
}

/** @throws CliError if the space has no such revision */
async function refuseUnknown(client: Client, id: number, revision: number): Promise<void> {
  const known = await client.revisions.list({ params: { id } });
  if (known.some((each) => each.id === revision)) return;
  throw wrongError(`Revision ${revision} of this room not found.`, '--dry-run shows earlier publications.');
}

/**
 * Publishes a room and prints the result; a dry run only prints what would change.
 * @returns whether there is anything to publish
 */
export async function publish(client: Client, { id, body, json }: Publishing, isTried: boolean): Promise<boolean> {
  const room = { params: { id } };
  const before = await client.publications.read(room);
  if (body.revision_id !== undefined) await refuseUnknown(client, id, body.revision_id);
  if (isTried) {
    const wanted = body.revision_id === undefined ? 'the current state' : `revision ${body.revision_id}`;
    const when = body.at === undefined ? '' : ` at ${body.at} (${body.zone})`;
    process.stdout.write(
      json ? jsonText(before) : `Would publish ${wanted} of room ${id}${when}.\n${stateText(before)}`,
    );
    return true;
  }
  const after = await client.publications.publish({ ...room, body });
  const done = body.at === undefined ? after.published : after.scheduled;
  const text =
    body.at === undefined
      ? lines(`Published room ${id}: ${entryText(done!)}`, wayBack(id, before))
      : lines(`Scheduled room ${id}: ${entryText(done!)}`);
  process.stdout.write(json ? jsonText(after) : text);
  return true;
}

/**
 * Unpublishes a room and prints the result; a dry run only prints what would change.
 * @returns whether there is anything to unpublish
 */
export async function unpublish(
  client: Client,
  { id, json }: Pick<Publishing, 'id' | 'json'>,
  isTried: boolean,
): Promise<boolean> {
  const room = { params: { id } };
  const before = await client.publications.read(room);
  if (!before.published || isTried) {
    const text = before.published ? `Would unpublish room ${id}.\n` : '';
    process.stdout.write(json ? jsonText(before) : text + stateText(before));
    return before.published !== null;
  }
  const after = await client.publications.unpublish(room);
  const text = lines(`Room ${id} has been unpublished.`, wayBack(id, before));
  process.stdout.write(json ? jsonText(after) : text);
  return true;
}
