import { z } from 'zod';
import { id } from '../../engine/document/fields.ts';
import { wrongError } from '../failure.ts';
import { parseJson, readText } from '../io/read-file.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';

const FORMAT = 'enfilade-organization-undo';

const body = z.record(z.string(), z.unknown());
const item = { id, name: z.string().max(1000) };

/** What an import added, and what can be removed again. */
const ADDED = ['folders', 'mediaFolders', 'media', 'feeds', 'liveStreams', 'blocks', 'webhooks'] as const;
/** What an import changed, and what can be written as it was. */
const WRITTEN = ['media', 'feeds', 'blocks', 'webhooks', 'users'] as const;

const stepSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('undo_job'), job: id, force: z.boolean() }),
  z.strictObject({ do: z.literal('remove'), what: z.enum(ADDED), ...item }),
  z.strictObject({ do: z.literal('write'), what: z.enum(WRITTEN), ...item, body }),
  z.strictObject({ do: z.literal('write_settings'), body, translation_webhook: z.string().nullable() }),
  z.strictObject({ do: z.literal('translate_media'), ...item, language: z.string().max(100), texts: body }),
  z.strictObject({ do: z.literal('move_room'), ...item, folder_id: id.nullable() }),
  z.strictObject({
    do: z.literal('add_folder'),
    what: z.enum(['folders', 'mediaFolders']),
    path: z.string().max(1000),
  }),
  z.strictObject({ do: z.literal('add_webhook'), name: z.string().max(1000), body }),
  z.strictObject({ do: z.literal('restore'), entity: z.enum(['block', 'feed', 'live_stream']), ...item }),
  z.strictObject({
    do: z.literal('reorder'),
    sort: z.array(z.strictObject({ id, children: z.array(z.strictObject({ id })) })),
  }),
]);
export type UndoStep = z.output<typeof stepSchema>;

const undoSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(1),
  /** Origin of the site of the organization. */
  site: z.string().max(2000),
  organization: z.string().max(255),
  at: z.string().max(40),
  steps: z.array(stepSchema).max(1_000_000),
});
export type Undo = z.output<typeof undoSchema>;

/** The steps that undo an import, written to a file before the next step begins. */
export class UndoList {
  readonly file: string;
  readonly #undo: Undo;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: string, about: Pick<Undo, 'site' | 'organization' | 'at'>) {
    this.file = file;
    this.#undo = { format: FORMAT, version: 1, ...about, steps: [] };
  }

  /** Number of steps. */
  get length(): number {
    return this.#undo.steps.length;
  }

  /** Lets jobs be undone although the import itself has changed their entries since. @param from first step */
  async forceSince(from: number): Promise<void> {
    for (const step of this.#undo.steps.slice(from)) if (step.do === 'undo_job') step.force = true;
    await this.#write();
  }

  /** Writes one after another. */
  async #write(): Promise<void> {
    this.#writing = this.#writing.then(() => writeUndo(this.file, this.#undo));
    await this.#writing;
  }

  /** Adds what undoes the last step. */
  async add(...steps: UndoStep[]): Promise<void> {
    this.#undo.steps.push(...steps);
    await this.#write();
  }
}

export const writeUndo = (file: string, undo: Undo): Promise<void> => writeOutput(file, jsonText(undo));

/** Reads an undo file. @throws CliError if it is none */
export async function readUndo(file: string): Promise<Undo> {
  const read = undoSchema.safeParse(parseJson(await readText(file), file));
  if (read.success) return read.data;
  throw wrongError(`${file} isn't the undo file of an import.`, 'Specify the file that enfilade org import wrote.');
}
