import { observable, observableRef, runInAction } from 'mobx';
import { applyCommand, type RoomCommand } from '../../../engine/document/commands.ts';
import type { Room } from '../../../engine/document/room.ts';
import { type Edit, mergedEdits } from './edit.ts';

/** Milliseconds within which steps with the same merge key become one. */
const MERGE_WITHIN = 1000;

/** One step of the history. */
interface Step {
  id: number;
  label: string;
  merge: string | undefined;
  /** When it was last added to. */
  at: number;
  edits: readonly Edit[];
}

/** What the document needs from outside. */
interface DocumentOptions {
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** Told of each edit that is to be saved, in order, and of the room after it. */
  onEdit?(edit: Edit, room: Room): void;
}

/**
 * The room that is being edited, and every step of the history. Ids of elements stay what they are for as long as the
 * document is open; what the server calls a new element is the saving's business.
 */
export class DocumentStore {
  readonly #options: DocumentOptions;
  readonly #listeners = new Set<(command: RoomCommand) => void>();
  readonly #state: { room: Room; steps: readonly Step[]; done: number };
  #nextId = 1;
  /** The look at an edit that listeners have been given; null when they show the room as it is. */
  #look: Edit | null = null;
  /** Looks that were given or ended by whoever gives them. */
  #looks = 0;

  constructor(room: Room, options: DocumentOptions) {
    this.#options = options;
    this.#state = observable.object(
      { room, steps: [] as readonly Step[], done: 0 },
      { room: observableRef, steps: observableRef },
    );
  }

  /** The room with every edit, saved or not (observable reference; never mutated). */
  get room(): Room {
    return this.#state.room;
  }

  get canUndo(): boolean {
    return this.#state.done > 0;
  }

  get canRedo(): boolean {
    return this.#state.done < this.#state.steps.length;
  }

  /** The history, oldest step first. */
  get steps(): readonly { id: number; label: string; isUndone: boolean }[] {
    const { steps, done } = this.#state;
    return steps.map(({ id, label }, index) => ({ id, label, isUndone: index >= done }));
  }

  /**
   * Applies commands as one step of the history and queues them for saving. Steps with the same `merge` key within 1 s
   * become one.
   * @throws RangeError when a command cannot be applied; then none of them is
   */
  run(commands: RoomCommand | readonly RoomCommand[], step: { label: string; merge?: string }): void {
    const list = Array.isArray(commands) ? (commands as readonly RoomCommand[]) : [commands as RoomCommand];
    if (list.length === 0) return;
    const edits = this.#apply(list);
    const { steps, done } = this.#state;
    const last = steps[done - 1];
    const at = this.#options.now();
    const isMerged =
      last !== undefined &&
      done === steps.length &&
      step.merge !== undefined &&
      last.merge === step.merge &&
      at - last.at < MERGE_WITHIN;
    const next = isMerged
      ? { ...last, at, edits: mergedEdits(last.edits, edits) }
      : { id: this.#nextId++, label: step.label, merge: step.merge, at, edits };
    const kept = steps.slice(0, isMerged ? done - 1 : done);
    runInAction(() => {
      this.#state.steps = [...kept, next];
      this.#state.done = kept.length + 1;
    });
  }

  undo(): void {
    const { steps, done } = this.#state;
    const step = steps[done - 1];
    if (!step) return;
    const taken = this.#applyWhatFits(step.edits.map(({ inverse }) => inverse).reverse());
    this.#turn(done - 1, done - 1, { ...step, edits: taken.map(flipped).reverse(), merge: undefined });
  }

  redo(): void {
    const { steps, done } = this.#state;
    const step = steps[done];
    if (!step) return;
    this.#turn(done + 1, done, { ...step, edits: this.#applyWhatFits(step.edits.map(({ command }) => command)) });
  }

  /** Goes to the state after a step, or to the beginning for null, by undoing or redoing what lies between. */
  goTo(stepId: number | null): void {
    const wanted = stepId === null ? 0 : this.#state.steps.findIndex(({ id }) => id === stepId) + 1;
    if (stepId !== null && wanted === 0) return;
    while (this.#state.done > wanted) this.undo();
    while (this.#state.done < wanted) this.redo();
  }

  /** Takes over what others did, or what the server made of an edit: neither a step of the history nor to be saved. */
  adopt(commands: readonly RoomCommand[]): void {
    if (commands.length > 0) this.#commit(commands, false);
  }

  /**
   * Told of every command that changes the document, in order, undo and others' edits included: what the canvas gives
   * to `scene.patch`. It is told of the looks that `preview` gives as well, and of what ends them.
   * @returns takes it back
   */
  onCommand(listener: (command: RoomCommand) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A look at an edit that is not made yet: listeners show it, nothing is saved. null ends it. */
  preview(command: RoomCommand | null): void {
    this.#looks++;
    this.#endLook();
    if (!command) return;
    const { inverse } = applyCommand(this.room, command);
    this.#look = { command, inverse };
    this.#tell(command);
  }

  #turn(done: number, index: number, step: Step): void {
    runInAction(() => {
      this.#state.done = done;
      this.#state.steps = this.#state.steps.with(index, step);
    });
  }

  #apply(commands: readonly RoomCommand[]): Edit[] {
    return this.#commit(commands, true);
  }

  /** Others may have removed what a step is about; the rest of the step is applied all the same. */
  #applyWhatFits(commands: readonly RoomCommand[]): Edit[] {
    return commands.flatMap((command) => {
      try {
        return this.#commit([command], true);
      } catch (error) {
        if (error instanceof RangeError) return [];
        throw error;
      }
    });
  }

  #commit(commands: readonly RoomCommand[], isOwn: boolean): Edit[] {
    let { room } = this;
    const edits: { edit: Edit; after: Room }[] = [];
    for (const command of commands) {
      const applied = applyCommand(room, command);
      room = applied.room;
      edits.push({ edit: { command, inverse: applied.inverse }, after: room });
    }
    const look = this.#look?.command;
    const looks = this.#looks;
    this.#endLook();
    runInAction(() => {
      this.#state.room = room;
    });
    for (const { edit, after } of edits) {
      this.#tell(edit.command);
      if (isOwn) this.#options.onEdit?.(edit, after);
    }
    // Whoever was told of the edit may have ended the look, or given another one.
    if (look && looks === this.#looks) this.#lookAgain(look);
    return edits.map(({ edit }) => edit);
  }

  #endLook(): void {
    const look = this.#look;
    this.#look = null;
    if (look) this.#tell(look.inverse);
  }

  /** A look goes on over an edit, unless that took away what it is about. */
  #lookAgain(command: RoomCommand): void {
    try {
      this.preview(command);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }

  #tell(command: RoomCommand): void {
    for (const listener of this.#listeners) listener(command);
  }
}

const flipped = ({ command, inverse }: Edit): Edit => ({ command: inverse, inverse: command });
