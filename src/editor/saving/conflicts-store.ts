import { action, computed, makeObservable, observable, observableRef, runInAction } from 'mobx';
import type { Room } from '../../../engine/document/room.ts';
import type { SentCommand } from '../../contract/entities.ts';
import type { Offer } from '../../ui/notifications.ts';
import { withWaiting } from '../session/sent-commands.ts';
import {
  type Changed,
  type Conflict,
  type FieldConflict,
  mergedConflicts,
  type Refusal,
  refusalOf,
  type Side,
} from './conflict.ts';
import type { SaveQueue } from './save-queue.ts';
import { thingOf, type Waiting, withoutFields } from './waiting.ts';

interface ConflictsOptions {
  queue: SaveQueue;
  /** The room as confirmed, and as shown. */
  confirmed(): Room;
  shown(): Room;
  now(): number;
  notify(text: string, offer?: Offer): void;
  /** Applies the queue to the confirmed room again. @param isDone edits to drop from the queue */
  rebase(isDone?: (edit: Waiting) => boolean): void;
}

/** Conflicts that the user has to resolve before the edits concerned are saved. */
export class ConflictsStore {
  readonly #options: ConflictsOptions;
  /** Fields that others changed while this page was offline with edits of the same fields. */
  changed: readonly Changed[] = [];
  /** Edits that the server rejected; other edits are still saved. */
  refusals: readonly Refusal[] = [];
  /** Whether the dialog is open. */
  isAsked = false;

  constructor(options: ConflictsOptions) {
    this.#options = options;
    makeObservable(this, {
      changed: observableRef,
      refusals: observableRef,
      isAsked: observable,
      next: computed,
      ask: action,
      putOff: action,
    });
  }

  /** The next conflict to resolve; null if there is none. */
  get next(): Conflict | null {
    return this.changed[0] ?? this.refusals.find(({ number }) => this.#options.queue.refused.has(number)) ?? null;
  }

  /** Opens the dialog. */
  ask(): void {
    this.isAsked = true;
  }

  /** Closes the dialog without a decision. */
  putOff(): void {
    this.isAsked = false;
  }

  /** Whether an edit waits for a decision: fields of an element in conflict; other edits are still saved. */
  isHeld({ command }: Waiting): boolean {
    return 'fields' in command && this.changed.some(({ id }) => id === thingOf(command));
  }

  /** Holds edits until the user has resolved these conflicts. */
  hold(met: readonly Changed[]): void {
    const known = new Set(this.changed.map(({ id }) => id));
    runInAction(() => (this.changed = mergedConflicts(this.changed, met)));
    for (const { id, who, name } of this.changed)
      if (!known.has(id))
        this.#offer(`${who} changed ${name} while you changed it. What you changed waits.`, () =>
          this.changed.some((conflict) => conflict.id === id),
        );
  }

  /** Removes conflicts whose edits are no longer in the queue. */
  dropObsolete(): void {
    const { queue } = this.#options;
    const held = new Set(queue.edits.filter((edit) => this.isHeld(edit)).map(({ command }) => thingOf(command)));
    const open = this.changed.filter(({ id }) => held.has(id));
    if (open.length === this.changed.length) return;
    runInAction(() => (this.changed = open));
    if (queue.state === 'idle') queue.resume();
  }

  /** Drops held edits of elements that new commands remove, also inside removed groups. */
  dropRemoved(commands: readonly SentCommand[]): void {
    if (this.changed.length === 0 || !commands.some(({ type }) => type === 'element.remove')) return;
    const { queue, shown } = this.#options;
    const left = new Set(shown().elements.map(({ id }) => id));
    const isGone = (id: number | null) => id !== null && !left.has(id);
    void queue.drop(queue.edits.filter((edit) => this.isHeld(edit) && isGone(thingOf(edit.command))));
    runInAction(() => (this.changed = this.changed.filter(({ id }) => !isGone(id))));
  }

  /** Adds an edit that the server rejected. */
  refuse(edit: Waiting, error: unknown): void {
    const { queue, shown } = this.#options;
    const refusal = refusalOf(edit, error, shown());
    const { number, name, text } = refusal;
    const known = this.refusals.find((other) => other.number === number)?.text;
    const others = this.refusals.filter((other) => other.number !== number && queue.refused.has(other.number));
    runInAction(() => (this.refusals = [...others, refusal]));
    if (known !== text)
      this.#offer(`A change of ${name} could not be saved and waits: ${text}`, () => queue.refused.has(number));
  }

  #offer(text: string, isValid: () => boolean): void {
    this.#options.notify(text, { label: 'Decide', isValid, act: () => this.next && this.ask() });
  }

  /** Resolves a `changed` conflict by choosing a side for each field. */
  async settle(sideOf: (field: FieldConflict) => Side): Promise<void> {
    const { queue, now, rebase } = this.#options;
    const [conflict, ...others] = this.changed;
    if (!conflict) return;
    const theirs = new Set(conflict.fields.filter((field) => sideOf(field) === 'theirs').map(({ path }) => path));
    const at = now();
    await queue.rewrite((edit) => {
      if (thingOf(edit.command) !== conflict.id) return edit;
      const command = withoutFields(edit.command, theirs);
      return command && { ...edit, command, at };
    });
    runInAction(() => {
      this.changed = others;
      this.isAsked = false;
    });
    rebase();
    queue.resume();
  }

  /** Resolves a `refused` conflict: sends the edit again, or undoes it together with edits that depend on it. */
  async settleRefused(isUndone: boolean): Promise<void> {
    const { queue, confirmed, rebase } = this.#options;
    const { next } = this;
    if (next?.kind !== 'refused') return;
    runInAction(() => (this.isAsked = false));
    if (!isUndone) return queue.retry(next.number);
    const left = queue.edits.filter(({ number }) => number !== next.number);
    const { lost } = withWaiting(confirmed(), left);
    const gone = new Set([next.number, ...lost.map(({ number }) => number)]);
    rebase(({ number }) => gone.has(number));
  }
}
