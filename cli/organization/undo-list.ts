import { existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { z } from 'zod';
import { id } from '../../engine/document/fields.ts';
import { diskError, usageError, wrongError } from '../failure.ts';
import { readText } from '../io/read-file.ts';
import { writeOutput } from '../io/write-output.ts';

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
  z.strictObject({ do: z.literal('write_settings'), body, translation_webhook: z.string().nullish() }),
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

const headSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(1),
  /** Origin of the site of the organization. */
  site: z.string().max(2000),
  organization: z.string().max(255),
  at: z.string().max(40),
});
type Head = z.output<typeof headSchema>;

const lineOf = (value: Head | UndoStep): string => `${JSON.stringify(value)}\n`;

/** The steps that undo an import, one per line, appended to a file before the next step begins. */
export class UndoList {
  readonly file: string;
  readonly #head: Head;
  readonly #steps: UndoStep[];
  #isWritten = false;
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: string, head: Head, steps: UndoStep[]) {
    this.file = file;
    this.#head = head;
    this.#steps = steps;
  }

  /**
   * Begins a list, or continues that of an import that ended early.
   * @throws CliError if the file has other contents
   */
  static async open(file: string, about: Pick<Head, 'site' | 'organization' | 'at'>): Promise<UndoList> {
    if (!existsSync(file)) return new UndoList(file, { format: FORMAT, version: 1, ...about }, []);
    const { steps, ...head } = await readUndo(file);
    if (head.site === about.site)
      return new UndoList(
        file,
        head,
        steps.map(({ step }) => step),
      );
    throw usageError(`${file} belongs to another organization: ${head.organization}.`, 'Choose another file.');
  }

  /** Number of steps. */
  get length(): number {
    return this.#steps.length;
  }

  /** Adds what undoes the last step. */
  async add(step: UndoStep): Promise<void> {
    this.#steps.push(step);
    await this.#write(() => (this.#isWritten ? appendFile(this.file, lineOf(step)) : this.#writeAll()));
  }

  async #writeAll(): Promise<void> {
    await writeOutput(this.file, [this.#head, ...this.#steps].map(lineOf).join(''));
    this.#isWritten = true;
  }

  /** Lets jobs be undone although the import itself has changed their entries since. @param from first step */
  async forceSince(from: number): Promise<void> {
    for (const step of this.#steps.slice(from)) if (step.do === 'undo_job') step.force = true;
    await this.#write(() => this.#writeAll());
  }

  /** Writes one after another. */
  async #write(work: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(work);
    await this.#writing.catch((error: unknown) => {
      throw diskError(error) ?? error;
    });
  }
}

/** The steps in an undo file. */
export interface Undo extends Head {
  /** Each with the position in the file at which it begins. */
  steps: { step: UndoStep; at: number }[];
}

/** Reads an undo file. @throws CliError if it is none */
export async function readUndo(file: string): Promise<Undo> {
  const text = await readText(file);
  // A last line without its end was not written completely.
  const lines = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1);
  const [first = '', ...others] = lines;
  let at = Buffer.byteLength(first) + 1;
  try {
    const head = headSchema.parse(JSON.parse(first));
    const steps = others.map((line) => {
      const begin = at;
      at += Buffer.byteLength(line) + 1;
      return { step: stepSchema.parse(JSON.parse(line)), at: begin };
    });
    return { ...head, steps };
  } catch {
    throw wrongError(`${file} isn't the undo file of an import.`, 'Specify the file that enfilade org import wrote.');
  }
}
