import { asCliError } from '../as-cli-error.ts';
import { systemClock } from '../clock.ts';
import type { Connection } from '../connection.ts';
import { CliError } from '../failure.ts';
import { jsonText } from '../io/write-output.ts';
import { notifyNotes } from '../report/notes.ts';
import { type Safety, withConsent } from '../safety/consent.ts';
import { addFolders, applyMedia, applySources } from './apply-media.ts';
import { addRooms, applyBlocks, applyStructures, applyTemplates, writeRooms } from './apply-rooms.ts';
import { applySettings, applyTokens, applyUsers, applyWebhooks, refuseUsersWithKey } from './apply-settings.ts';
import { compareSnapshots } from './compare.ts';
import { KINDS, type Kind } from './format.ts';
import { type Contents, inBoth, kindsOf } from './options.ts';
import { planned, planText, refuseBeyondQuotas, refuseClashes, refuseMissingRights } from './plan.ts';
import { pruneOthers } from './prune.ts';
import { type Archive, openArchive } from './read-archive.ts';
import { readServer } from './read-server.ts';
import { UndoList } from './undo-list.ts';
import type { Work } from './work.ts';

/** Options of an import. */
export interface OrganizationImport extends Safety, Contents {
  prune: boolean;
  json: boolean;
  undoFile?: string;
}

/** Structures that show published revisions, which exports don't contain. */
async function remarkUnpublished({ archive, remarks }: Work): Promise<void> {
  let count = 0;
  for (const entry of archive.entries.endpoints) if ((await entry.read()).shows === 'published') count++;
  if (count > 0)
    remarks.push(
      `${count} ${count === 1 ? 'structure shows' : 'structures show'} the published version of a room. Publish the rooms with enfilade rooms publish.`,
    );
}

async function apply(work: Work): Promise<void> {
  await addFolders(work, 'media_folders');
  await applyMedia(work);
  await addFolders(work, 'folders');
  await applySources(work);
  await applyTemplates(work);
  await addRooms(work);
  await applyStructures(work);
  await writeRooms(work, await applyBlocks(work));
  await applySettings(work);
  await applyWebhooks(work);
  await applyUsers(work);
  await applyTokens(work);
  if (work.prune) await pruneOthers(work);
  await remarkUnpublished(work);
}

/** The error of an import that ended early, with the finished steps. */
function endedEarly(error: unknown, { done, undo }: Work): unknown {
  const known = asCliError(error);
  if (!known || undo.length === 0) return error;
  const finished = done.length > 0 ? ` Imported so far: ${done.join(', ')}.` : '';
  return new CliError(known.code, known.exit, {
    message: `${known.message}${finished}`,
    suggestion: `${known.suggestion} Run the import again to finish it, or enfilade org undo ${undo.file} to undo it.`,
    problems: known.problems,
  });
}

const undoFileName = (at: Date): string => `org-undo-${at.toISOString().slice(0, 19).replaceAll(':', '')}.ndjson`;

async function importArchive(
  connection: Connection,
  { file, archive }: { file: string; archive: Archive },
  options: OrganizationImport,
  isTried: boolean,
): Promise<boolean> {
  const { prune, json } = options;
  const kinds = inBoth(await kindsOf(options), archive.kinds);
  const server = await readServer(connection, kinds, archive.hasOriginals);
  const comparison = await compareSnapshots(server, archive);
  refuseClashes(comparison);
  const changes = planned(comparison, prune);
  refuseUsersWithKey({ comparison, connection, prune });
  await refuseMissingRights(connection, changes);
  await refuseBeyondQuotas(connection, changes, await newBytes(archive, changes));
  const isSame = changes.length === 0 && !comparison.isReordered;
  const entries = changes.map(({ kind, action, name, fields }) => ({ kind, action, name, fields }));
  const { unchanged, isReordered } = comparison;
  if (isTried || isSame) {
    const result = { applied: false, unchanged, is_reordered: isReordered, entries, remarks: [], undo: null };
    process.stdout.write(json ? jsonText(result) : planText(comparison, prune));
    return !isSame;
  }
  const at = new Date(systemClock.now());
  const { organization } = await connection.client.users.active();
  const about = { site: organization.origin, organization: server.name, at: at.toISOString() };
  const undo = await UndoList.open(options.undoFile ?? undoFileName(at), about);
  const ids = Object.fromEntries(
    KINDS.map((kind) => [
      kind,
      new Map(server.entries[kind].flatMap(({ key, id }) => (id === undefined ? [] : [[key, id]]))),
    ]),
  ) as Record<Kind, Map<string, number>>;
  // Moved and renamed entries have the keys of the export, too.
  for (const { kind, from, to } of comparison.pairs) if (from.id !== undefined) ids[kind].set(to.key, from.id);
  const work: Work = {
    ...{ connection, file, archive, server, comparison, undo, prune, ids },
    isQuiet: json,
    remarks: [],
    done: [],
  };
  try {
    await apply(work);
  } catch (error) {
    notifyNotes(work.remarks, json);
    throw endedEarly(error, work);
  }
  const undoFile = undo.length === 0 ? null : undo.file;
  if (json)
    process.stdout.write(
      jsonText({ applied: true, unchanged, is_reordered: isReordered, entries, remarks: work.remarks, undo: undoFile }),
    );
  else {
    const list = work.done.map((line) => `  ${line}\n`).join('');
    const hint = undoFile === null ? '' : `Run \`enfilade org undo ${undoFile}\` to undo this.\n`;
    process.stdout.write(`Imported into ${server.name}:\n${list}${hint}`);
    notifyNotes(work.remarks, false);
  }
  return true;
}

async function newBytes({ manifest }: Archive, changes: ReturnType<typeof planned>): Promise<number> {
  const sizes = new Map(manifest.files.map(({ path, bytes }) => [path, bytes]));
  let bytes = 0;
  for (const { kind, action, to } of changes)
    if (kind === 'media' && action === 'create') bytes += sizes.get(`media/${String((await to!.read()).hash)}`) ?? 0;
  return bytes;
}

/**
 * Imports an export into the organization of a connection, by names and paths. Every step that was done can be undone with
 * a file that is written while the import runs; an import that was interrupted continues when it is run again.
 * @throws CliError before any change if the export is damaged, names are ambiguous, or rights or quotas don't suffice
 */
export async function runOrganizationImport(
  connection: Connection,
  file: string,
  options: OrganizationImport,
): Promise<void> {
  const archive = await openArchive(file);
  try {
    await withConsent(options, (isTried) => importArchive(connection, { file, archive }, options, isTried));
  } finally {
    archive.close();
  }
}
