import { observable, observableRef, runInAction } from 'mobx';
import { applyCommands, type RoomCommand } from '../../../engine/document/commands.ts';
import { commandsBetween } from '../../../engine/document/commands-between.ts';
import { byPath, fieldsByPath } from '../../../engine/document/field-paths.ts';
import type { Room } from '../../../engine/document/room.ts';
import { findElement } from '../../../engine/document/tree.ts';
import type { Edit } from './edit.ts';
import { flipped, type History, type Step, withoutTheirs, withStep } from './history.ts';

/** Dependencies of the document. */
interface DocumentOptions {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** Called with edits to save, in order; once for edits made together. */
  onEdits?(edits: readonly Edit[]): void;
  notify?(text: string): void;
}

/** The edited room with all edits, and the user's history. */
export class DocumentStore {
  readonly #options: DocumentOptions;
  readonly #listeners = new Set<(commands: readonly RoomCommand[]) => void>();
  readonly #state: { room: Room; history: History; isReadOnly: boolean };
  #nextId = 1;

  constructor(room: Room, options: DocumentOptions) {
    this.#options = options;
    this.#state = observable.object(
      { room, history: { steps: [], done: 0 } as History, isReadOnly: false },
      { room: observableRef, history: observableRef },
    );
  }

  /** The room with every edit, saved or not (observable reference; never mutated). */
  get room(): Room {
    return this.#state.room;
  }

  get history(): History {
    return this.#state.history;
  }

  /** Whether edits are rejected because the server would reject them. */
  get isReadOnly(): boolean {
    return this.#state.isReadOnly;
  }

  get canUndo(): boolean {
    return !this.isReadOnly && this.history.done > 0;
  }

  get canRedo(): boolean {
    return !this.isReadOnly && this.history.done < this.history.steps.length;
  }

  /** The history, oldest step first. */
  get steps(): readonly { id: number; label: string; isUndone: boolean }[] {
    const { steps, done } = this.history;
    return steps.map(({ id, label }, index) => ({ id, label, isUndone: index >= done }));
  }

  /** Enables or disables read-only mode. */
  setReadOnly(isReadOnly: boolean): void {
    runInAction(() => (this.#state.isReadOnly = isReadOnly));
  }

  /** Adopts the history of an earlier page. */
  restore(history: History): void {
    this.#setHistory(history);
    this.#nextId = Math.max(0, ...history.steps.map(({ id }) => id)) + 1;
  }

  /**
   * Applies commands as one step of the history and queues them for saving. Steps with the same `merge` key within 1 s,
   * or `within` milliseconds, become one.
   * @throws RangeError if a command cannot be applied; then none of them is
   */
  run(commands: RoomCommand | readonly RoomCommand[], step: { label: string; merge?: string; within?: number }): void {
    const list = Array.isArray(commands) ? (commands as readonly RoomCommand[]) : [commands as RoomCommand];
    if (list.length === 0) return;
    if (this.isReadOnly) {
      this.#options.notify?.('You can look at this space, but not change it.');
      this.#showAgain(list);
      return;
    }
    const edits = this.#commit(list);
    const at = this.#options.now();
    const { within, ...rest } = step;
    this.#setHistory(withStep(this.history, { id: this.#nextId++, ...rest, at, edits }, within));
  }

  undo(): void {
    const { steps, done } = this.history;
    const step = steps[done - 1];
    if (!step || this.isReadOnly) return;
    const taken = this.#applyWhatFits(step, step.edits.map(({ inverse }) => inverse).reverse(), true);
    this.#turn(done - 1, done - 1, { ...step, edits: taken.map(flipped).reverse() });
  }

  redo(): void {
    const { steps, done } = this.history;
    const step = steps[done];
    if (!step || this.isReadOnly) return;
    const edits = this.#applyWhatFits(
      step,
      step.edits.map(({ command }) => command),
      false,
    );
    this.#turn(done + 1, done, { ...step, edits });
  }

  /** Undoes or redoes steps up to the state after a step; null is the beginning. */
  goTo(stepId: number | null): void {
    const wanted = stepId === null ? 0 : this.history.steps.findIndex(({ id }) => id === stepId) + 1;
    if ((stepId !== null && wanted === 0) || this.isReadOnly) return;
    while (this.history.done > wanted) this.undo();
    while (this.history.done < wanted) this.redo();
  }

  /**
   * Replaces the room after changes by others or the server. This is neither a history step nor saved.
   * Listeners receive the differences only.
   * @param theirs others' commands, which undo leaves in place
   */
  replace(room: Room, theirs: readonly { who: string; commands: readonly RoomCommand[] }[] = []): void {
    const commands = commandsBetween(this.room, room);
    if (commands.length > 0) this.#change(room, () => this.#notifyEdits(commands));
    this.#setHistory(theirs.reduce((history, each) => withoutTheirs(history, each, room), this.history));
  }

  /**
   * Subscribes to every command that changes the document, in order, including undo and others' edits. The canvas
   * passes them to `scene.patch`.
   * @returns a function that unsubscribes
   */
  onCommand(listener: (command: RoomCommand) => void): () => void {
    return this.onCommands((commands) => {
      for (const command of commands) listener(command);
    });
  }

  /** As `onCommand`, but called once for all commands that change the document together. */
  onCommands(listener: (commands: readonly RoomCommand[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #setHistory(history: History): void {
    const { steps, done } = this.history;
    if (history.steps !== steps || history.done !== done) runInAction(() => (this.#state.history = history));
  }

  /** An undone or redone step no longer merges, and tracks others' changes from the start. */
  #turn(done: number, index: number, { merge: _, theirs: __, ...step }: Step): void {
    this.#setHistory({ steps: this.history.steps.with(index, step), done });
  }

  /** Applies the commands that still apply, if others removed or changed some elements of the step. */
  #applyWhatFits({ label, theirs = [] }: Step, commands: readonly RoomCommand[], isUndo: boolean): Edit[] {
    const left = new Set(theirs);
    const edits =
      this.#commitAll(commands) ??
      commands.flatMap((command) => {
        const done = this.#commitAll([command]);
        if (!done) left.add('an element was removed since');
        return done ?? [];
      });
    if (left.size > 0)
      this.#options.notify?.(`“${label}” is not completely ${isUndo ? 'undone' : 'redone'}: ${[...left].join('; ')}.`);
    return edits;
  }

  /** Commits all commands; null, without any change, if one of them no longer applies. */
  #commitAll(commands: readonly RoomCommand[]): Edit[] | null {
    try {
      return this.#commit(commands);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return null;
    }
  }

  #commit(commands: readonly RoomCommand[]): Edit[] {
    const { room, inverses } = applyCommands(this.room, commands);
    const edits = commands.map((command, index): Edit => ({ command, inverse: inverses[index]! }));
    this.#change(room, () => {
      this.#notifyEdits(commands);
      this.#options.onEdits?.(edits);
    });
    return edits;
  }

  #change(room: Room, notify: () => void): void {
    runInAction(() => (this.#state.room = room));
    notify();
  }

  /** Resets listeners that already show a rejected edit. */
  #showAgain(commands: readonly RoomCommand[]): void {
    for (const command of commands) {
      const element = command.type === 'element.update' && findElement(this.room.elements, command.id);
      if (!element) continue;
      const now = byPath(element);
      const fields = fieldsByPath(
        Object.fromEntries(Object.keys(byPath(command.fields)).map((path) => [path, now[path]])),
      );
      this.#notifyEdits([{ type: 'element.update', id: element.id, fields }]);
    }
  }

  #notifyEdits(commands: readonly RoomCommand[]): void {
    for (const listener of this.#listeners) listener(commands);
  }
}
