import { truncate } from 'node:fs/promises';
import { asCliError } from '../as-cli-error.ts';
import type { Connection } from '../connection.ts';
import { CliError, wrongError } from '../failure.ts';
import { findFolder, folderIdOf } from '../folders/find-folder.ts';
import { notifyNotes } from '../report/notes.ts';
import { readUndo, type UndoStep } from './undo-list.ts';

/** Steps whose failure doesn't stop an undo: their entry is gone, or still in use. */
const PASSABLE = new Set(['not_found', 'in_use']);

class Undoing {
  readonly #connection: Connection;
  readonly #force: boolean;
  readonly remarks: string[] = [];

  constructor(connection: Connection, force: boolean) {
    this.#connection = connection;
    this.#force = force;
  }

  async #job(job: number, force: boolean): Promise<void> {
    const { client } = this.#connection;
    await client.imports.undo({ params: { id: job }, body: { force: force || this.#force } });
  }

  async #restore({ entity, id, name }: Extract<UndoStep, { do: 'restore' }>): Promise<void> {
    const { client } = this.#connection;
    const [found] = (await client.bin.list({ query: { entity, entity_id: String(id), per_page: 1 } })).data;
    if (!found) throw wrongError(`"${name}" is no longer in the bin.`, 'Add it again in the back-office.');
    await client.history.restore({ params: { id: found.id } });
  }

  async #addFolder({ what, path }: Extract<UndoStep, { do: 'add_folder' }>): Promise<void> {
    const { client } = this.#connection;
    const names = path.split('/');
    const parent_id = await folderIdOf(client, names.slice(0, -1).join('/'), what);
    await client[what].create({ body: { name: names.at(-1)!, parent_id } });
    await findFolder(client, path, what);
  }

  /** Fields as they were. The stamp of the import detects later changes. */
  #body({ body: { updated_at, ...fields } }: Extract<UndoStep, { body: unknown }>): Record<string, unknown> {
    return { ...fields, ...(updated_at !== undefined && !this.#force && { updated_at }) };
  }

  async #do(step: UndoStep): Promise<unknown> {
    const { client } = this.#connection;
    switch (step.do) {
      case 'undo_job':
        return this.#job(step.job, step.force);
      case 'remove':
        return client[step.what].remove({ params: { id: step.id } });
      case 'write':
        return client[step.what].update({ params: { id: step.id }, body: this.#body(step) });
      case 'write_settings':
        await client.organizations.update({ body: this.#body(step) });
        if (step.translation_webhook === undefined) return;
        return client.translationWebhook.update({ body: { url: step.translation_webhook } });
      case 'translate_media':
        return client.media.translate({
          params: { id: step.id },
          body: { language: step.language, texts: step.texts },
        });
      case 'move_room':
        return client.rooms.move({ params: { id: step.id }, body: { folder_id: step.folder_id } });
      case 'add_folder':
        return this.#addFolder(step);
      case 'add_webhook':
        return this.#addWebhook(step);
      case 'restore':
        return this.#restore(step);
      case 'reorder':
        return this.#reorder(step);
    }
  }

  async #addWebhook({ name, body: { is_paused, ...body } }: Extract<UndoStep, { do: 'add_webhook' }>): Promise<void> {
    const { client } = this.#connection;
    const { id } = await client.webhooks.create({ body: body as { name: string; url: string; events: never[] } });
    if (is_paused === true) await client.webhooks.update({ params: { id }, body: { is_paused: true } });
    this.remarks.push(`The webhook "${name}" has a new signing secret. Replace it in the settings to see it.`);
  }

  /** Restores the order of structures that still exist; new ones stay last. */
  async #reorder({ sort }: Extract<UndoStep, { do: 'reorder' }>): Promise<void> {
    const { client } = this.#connection;
    const tree = await client.endpoints.list();
    const places = new Map(sort.flatMap(({ id, children }) => [{ id }, ...children]).map(({ id }, at) => [id, at]));
    const ordered = <T extends { id: number }>(list: readonly T[]) =>
      list.toSorted((a, b) => (places.get(a.id) ?? places.size) - (places.get(b.id) ?? places.size));
    if (tree.length === 0) return;
    await client.endpoints.reorder({
      body: {
        sort: ordered(tree).map(({ id, children }) => ({
          id,
          children: ordered(children).map((child) => ({ id: child.id })),
        })),
      },
    });
  }

  async run(step: UndoStep): Promise<void> {
    try {
      await this.#do(step);
    } catch (error) {
      const known = asCliError(error);
      if (known && 'name' in step && PASSABLE.has(known.code)) this.remarks.push(`"${step.name}": ${known.message}`);
      else throw error;
    }
  }
}

/**
 * Undoes an import, last step first. Finished steps are removed from the file, so that an interrupted undo can be continued.
 * @param isTried only prints how much would be undone
 * @returns whether there is anything to undo
 * @throws CliError if the file belongs to another server, or a step fails
 */
export async function undoOrganizationImport(
  connection: Connection,
  file: string,
  force: boolean,
  isTried: boolean,
): Promise<boolean> {
  const undo = await readUndo(file);
  const { organization } = await connection.client.users.active();
  if (undo.site !== organization.origin)
    throw wrongError(
      `${file} belongs to another organization: ${undo.organization}.`,
      'Use a key of that organization.',
    );
  const count = undo.steps.length;
  if (isTried || count === 0) {
    process.stdout.write(
      `${count === 0 ? 'Nothing to undo' : `Would undo ${count} ${count === 1 ? 'step' : 'steps'} of ${undo.at}`}.\n`,
    );
    return count > 0;
  }
  const undoing = new Undoing(connection, force);
  for (const [done, { step, at }] of undo.steps.toReversed().entries()) {
    try {
      await undoing.run(step);
    } catch (error) {
      const known = asCliError(error);
      if (!known) throw error;
      notifyNotes(undoing.remarks, false);
      const { code, exit, message, suggestion, problems } = known;
      const next = code === 'stale' ? 'Use --force to undo it anyway; later changes will be lost.' : suggestion;
      throw new CliError(code, exit, {
        message: `${message} Undone: ${done} of ${count} steps.`,
        suggestion: `${next} Run the command again to continue.`,
        problems,
      });
    }
    await truncate(file, at);
  }
  process.stdout.write(`Undone: ${count} ${count === 1 ? 'step' : 'steps'}.\n`);
  notifyNotes(undoing.remarks, false);
  return true;
}
