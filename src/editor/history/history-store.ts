import { makeObservable, observable, observableRef, reaction, runInAction } from 'mobx';
import { applyCommand, type RoomCommand } from '../../../engine/document/commands.ts';
import { differences, sentenceOf } from '../../../engine/document/difference.ts';
import type { Room } from '../../../engine/document/room.ts';
import { type Done, undoAll } from '../../../engine/document/undo-of.ts';
import { type CommandOrigin, MAX_COMMANDS, type RoomLogEntry } from '../../contract/entities.ts';
import { doneOf } from '../saving/conflict.ts';
import type { Editor } from '../session/editor-context.ts';

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
  proposal: 'by merging a proposal',
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

  /** Commands that undo entries now, newest first; empty if others have changed everything since, or if they exceed one step. */
  undoOf(entries: readonly HistoryEntry[]): readonly RoomCommand[] {
    const { document } = this.#editor;
    if (document.isReadOnly) return [];
    const { commands } = undoAll(entries, document.room);
    return commands.length > MAX_COMMANDS ? [] : commands;
  }

  /** Undoes the remaining effect of entries, newest first, as a step of the user's own history. */
  undo(entries: readonly HistoryEntry[]): void {
    const [first = 'a change'] = entries[0]?.sentences ?? [];
    const label = entries.length === 1 ? `Undo: ${first}` : `Undo ${entries.length} changes`;
    this.#editor.document.run(this.undoOf(entries), { label });
  }
}
