import { makeObservable, observable, observableRef, reaction, runInAction } from 'mobx';
import { applyCommand, type RoomCommand } from '../../../engine/document/commands.ts';
import { differences, sentenceOf } from '../../../engine/document/difference.ts';
import type { Room } from '../../../engine/document/room.ts';
import { type CommandOrigin, MOST_COMMANDS, type RoomLogEntry } from '../../contract/entities.ts';
import { doneOf } from '../saving/conflict.ts';
import type { Editor } from '../session/editor-context.ts';
import { type Done, undoOf } from './undo-of.ts';

/** Entries that are told of at once. */
const PER_PART = 30;
/** Sentences that are kept of an entry. */
const MOST_SENTENCES = 100;

const ORIGINS: Record<CommandOrigin, string> = {
  editor: '',
  api: 'by a script',
  import: 'by an import',
  restore: 'by restoring a revision',
  agent: 'by an agent',
};

/** Something that somebody did to the room. */
export interface Told extends Done {
  seq: number;
  at: string;
  /** Name of who did it. */
  who: string;
  isOwn: boolean;
  /** In what way, where it was not done in an editor. */
  how: string;
  sentences: readonly string[];
  /** Sentences that are left out. */
  more: number;
}

/** What was done to the room, by whom and when, newest first: the log, told in sentences. */
export class HistoryStore {
  readonly #editor: Editor;
  readonly #userId: number | null;
  readonly #stop: () => void;
  told: readonly Told[] = [];
  state: 'loading' | 'ready' | 'failed' = 'loading';
  /** Whether the log has more than is told. */
  hasMore = false;
  /** The room as it was before the oldest entry that is told. */
  #before: Room | null = null;
  #seq = 0;
  #last: Promise<void> = Promise.resolve();

  /** @param userId who looks at it */
  constructor(editor: Editor, userId: number | null) {
    this.#editor = editor;
    this.#userId = userId;
    makeObservable(this, { told: observableRef, state: observable, hasMore: observable });
    this.#stop = reaction(
      () => editor.saving.seq,
      () => void this.load(),
    );
  }

  end(): void {
    this.#stop();
  }

  /** Tells of the newest, from the room as it is confirmed now. */
  load(): Promise<void> {
    return this.#inTurn(async () => {
      const { saving } = this.#editor;
      const { seq, confirmed } = saving;
      if (seq === this.#seq && this.#before) return;
      const entries = await this.#read(seq + 1);
      // Somebody was faster: what comes next tells of it all.
      if (saving.seq !== seq) return;
      this.#before = confirmed;
      const told = this.#tell(entries);
      runInAction(() => (this.told = told));
      this.#seq = seq;
    });
  }

  /** Tells of what came before. */
  loadMore(): Promise<void> {
    return this.#inTurn(async () => {
      const oldest = this.told.at(-1);
      if (!oldest) return;
      const told = this.#tell(await this.#read(oldest.seq));
      runInAction(() => (this.told = [...this.told, ...told]));
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

  /** Goes back through entries, newest first: what each did is the difference between the rooms around it. */
  #tell(entries: readonly RoomLogEntry[]): Told[] {
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
        sentences: found.slice(0, MOST_SENTENCES).map(sentenceOf),
        more: Math.max(0, found.length - MOST_SENTENCES),
        commands,
        inverses,
      };
    });
  }

  /** What would undo something now; empty where others have changed it since, or it is too much for one step. */
  undoOf(told: Told): readonly RoomCommand[] {
    const { document } = this.#editor;
    if (document.isReadOnly || told.inverses.length > MOST_COMMANDS) return [];
    return undoOf(told, document.room);
  }

  /** Undoes what still can be undone of something, as a step of one's own. */
  undo(told: Told): void {
    const [first = 'a change'] = told.sentences;
    this.#editor.document.run(this.undoOf(told), { label: `Undo: ${first}` });
  }
}
