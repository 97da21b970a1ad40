import { makeObservable, observable, observableRef, reaction, runInAction } from 'mobx';
import { applyCommand, Draft, type RoomCommand } from '../../../engine/document/commands.ts';
import { differences, sentenceOf } from '../../../engine/document/difference.ts';
import { byPath, fieldsByPath, isSame } from '../../../engine/document/field-paths.ts';
import type { Room } from '../../../engine/document/room.ts';
import { type CommandOrigin, MAX_COMMANDS, type RoomLogEntry } from '../../contract/entities.ts';
import { doneOf } from '../saving/conflict.ts';
import type { Editor } from '../session/editor-context.ts';

/** Commands applied to a room together, with their inverses. */
export interface Done {
  commands: readonly RoomCommand[];
  /** In the order of application. */
  inverses: readonly RoomCommand[];
}

/** Derived fields, which change together with others. */
const FOLLOWING: ReadonlySet<string> = new Set(['visible_between', 'file', 'config.file_url', 'config.mime']);

/** The last values that commands set, by field; by element id, or null for the room. */
function given(commands: readonly RoomCommand[]): Map<number | null, Record<string, unknown>> {
  const values = new Map<number | null, Record<string, unknown>>();
  for (const command of commands) {
    if (!('fields' in command)) continue;
    const id = command.type === 'room.update' ? null : command.id;
    values.set(id, { ...values.get(id), ...byPath(command.fields) });
  }
  return values;
}

/** The fields of an inverse that have not been changed since; null if none are left. */
function unchanged<C extends RoomCommand & { fields: object }>(
  command: C,
  now: object | undefined,
  gave: Record<string, unknown> = {},
): C | null {
  if (!now) return null;
  const values = byPath(now);
  const isOwn = ([path]: [string, unknown]) =>
    FOLLOWING.has(path) || !(path in gave) || isSame(values[path], gave[path]);
  const left = Object.entries(byPath(command.fields)).filter(isOwn);
  if (!left.some(([path]) => !FOLLOWING.has(path))) return null;
  return { ...command, fields: fieldsByPath(Object.fromEntries(left)) };
}

/**
 * Commands that undo an entry without later changes: fields that were changed since keep their values, and so do
 * elements that others put into an added one.
 * @param room current state
 * @returns commands that apply in sequence; empty if nothing is left to undo
 */
export function undoOf({ commands, inverses }: Done, room: Room): RoomCommand[] {
  const gave = given(commands);
  const added = new Set(
    commands.flatMap((command) => (command.type === 'element.add' ? command.elements.map(({ id }) => id) : [])),
  );
  const movedTo = new Map(
    commands.flatMap((command) => (command.type === 'element.move' ? [[command.id, command.parent]] : [])),
  );
  const found: RoomCommand[] = [];
  const now = new Draft(room);
  const fitting = (command: RoomCommand): RoomCommand | null => {
    switch (command.type) {
      case 'room.update':
        return unchanged(command, now.fields, gave.get(null));
      case 'element.update':
        return unchanged(command, now.get(command.id), gave.get(command.id));
      case 'element.remove': {
        const isAlone = now.get(command.id) && now.branch(command.id).every(({ id }) => added.has(id));
        return isAlone ? command : null;
      }
      case 'element.move': {
        const element = now.get(command.id);
        return element && element.parent_element_id === (movedTo.get(command.id) ?? null) ? command : null;
      }
      case 'element.add':
        return command;
    }
  };
  for (const inverse of inverses) {
    const command = fitting(inverse);
    if (!command) continue;
    try {
      now.apply(command);
      found.push(command);
      // Later inverses are compared with the result of earlier ones in the same step.
      if (command.type === 'element.move') movedTo.set(command.id, command.parent);
      for (const [id, values] of given([command])) gave.set(id, { ...gave.get(id), ...values });
    } catch (error) {
      // Its target is gone, or exists already.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return found;
}

/** Number of entries per page. */
const PER_PART = 30;
/** Maximum number of stored descriptions per entry. */
const MAX_SENTENCES = 100;

const ORIGINS: Record<CommandOrigin, string> = {
  editor: '',
  api: 'by a script',
  import: 'by an import',
  restore: 'by restoring a revision',
  block: 'by updating a block',
  agent: 'by an agent',
  translation: 'by importing or drafting translations',
};

/** A change of the room, with its author. */
export interface HistoryEntry extends Done {
  seq: number;
  at: string;
  /** Name of the author. */
  who: string;
  isOwn: boolean;
  /** The program, if it was not an editor. */
  how: string;
  sentences: readonly string[];
  /** Number of omitted descriptions. */
  more: number;
}

/** All changes of the room with their authors and times, newest first: the log as descriptions. */
export class HistoryStore {
  readonly #editor: Editor;
  readonly #userId: number | null;
  readonly #stop: () => void;
  entries: readonly HistoryEntry[] = [];
  state: 'loading' | 'ready' | 'failed' = 'loading';
  /** Whether the log has older entries. */
  hasMore = false;
  /** The room before the oldest loaded entry. */
  #before: Room | null = null;
  #seq = 0;
  #last: Promise<void> = Promise.resolve();

  /** @param userId the authenticated user */
  constructor(editor: Editor, userId: number | null) {
    this.#editor = editor;
    this.#userId = userId;
    makeObservable(this, { entries: observableRef, state: observable, hasMore: observable });
    this.#stop = reaction(
      () => editor.saving.seq,
      () => void this.load(),
    );
  }

  end(): void {
    this.#stop();
  }

  /** Loads the newest entries, starting from the confirmed room. */
  load(): Promise<void> {
    return this.#inTurn(async () => {
      const { saving } = this.#editor;
      const { seq, confirmed } = saving;
      if (seq === this.#seq && this.#before) return;
      const entries = await this.#read(seq + 1);
      // New entries arrived meanwhile; another load includes them.
      if (saving.seq !== seq) return;
      this.#before = confirmed;
      const described = this.#describe(entries);
      runInAction(() => (this.entries = described));
      this.#seq = seq;
    });
  }

  /** Loads older entries. */
  loadMore(): Promise<void> {
    return this.#inTurn(async () => {
      const oldest = this.entries.at(-1);
      if (!oldest) return;
      const described = this.#describe(await this.#read(oldest.seq));
      runInAction(() => (this.entries = [...this.entries, ...described]));
    });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(async () => {
      try {
        await work();
        runInAction(() => (this.state = 'ready'));
      } catch {
        runInAction(() => (this.state = 'failed'));
      }
    });
    return this.#last;
  }

  async #read(before: number): Promise<readonly RoomLogEntry[]> {
    const { client, roomId } = this.#editor;
    const query = { before, limit: PER_PART };
    const { entries, base } = await client.rooms.log({ params: { id: roomId }, query });
    runInAction(() => (this.hasMore = entries.length > 0 && entries[0]!.seq > base + 1));
    return entries;
  }

  /** Describes entries from newest to oldest, by comparing the rooms before and after each. */
  #describe(entries: readonly RoomLogEntry[]): HistoryEntry[] {
    return entries.toReversed().map((entry) => {
      const after = this.#before!;
      const { commands, inverses } = doneOf(entry, undefined);
      this.#before = inverses.reduce((room, command) => applyCommand(room, command).room, after);
      const found = differences(this.#before, after);
      return {
        seq: entry.seq,
        at: entry.at,
        who: entry.user?.name ?? 'The server',
        isOwn: entry.user !== null && entry.user.id === this.#userId,
        how: ORIGINS[entry.origin],
        sentences: found.slice(0, MAX_SENTENCES).map(sentenceOf),
        more: Math.max(0, found.length - MAX_SENTENCES),
        commands,
        inverses,
      };
    });
  }

  /** Commands that undo an entry now; empty if others have changed everything since, or if they exceed one step. */
  undoOf(entry: HistoryEntry): readonly RoomCommand[] {
    const { document } = this.#editor;
    if (document.isReadOnly || entry.inverses.length > MAX_COMMANDS) return [];
    return undoOf(entry, document.room);
  }

  /** Undoes the remaining effect of an entry, as a step of the user's own history. */
  undo(entry: HistoryEntry): void {
    const [first = 'a change'] = entry.sentences;
    this.#editor.document.run(this.undoOf(entry), { label: `Undo: ${first}` });
  }
}
