import { action, computed, makeObservable, observable, observableRef } from 'mobx';
import type { z } from 'zod';
import {
  type ElementFields,
  mergeFields,
  type RoomCommand,
  type RoomFields,
} from '../../../engine/document/commands.ts';
import { type Element, flatElementSchema } from '../../../engine/document/element.ts';
import { type ByPath, byPath, fieldsByPath, isRecord, isSame } from '../../../engine/document/field-paths.ts';
import { roomFieldsSchema } from '../../../engine/document/room.ts';
import { findElement } from '../../../engine/document/tree.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import type { DocumentStore } from '../session/document-store.ts';

/** Id of the room in drafts, which otherwise use element ids. */
export const ROOM = 0;

/** Subject of a draft: an element by its id, or `ROOM`. */
export interface Subject {
  id: number;
  /** Label of its history steps. */
  label: string;
}

/** Errors by field path. */
type Problems = Readonly<Record<string, string>>;

/** Number of drafts so far: history steps merge only within one draft. */
let drafts = 0;

/** Paths with problems at or inside a field. */
const problemsAt = (problems: Problems, path: string) =>
  Object.keys(problems).filter((problem) => problem === path || problem.startsWith(`${path}.`));

/** User-facing text of an issue: schema messages mention types. */
function problemOf(issue: z.core.$ZodIssue): string {
  const isNumber = 'origin' in issue && (issue.origin === 'number' || issue.origin === 'int');
  if (issue.code === 'too_small' && isNumber) return `Must be ${issue.minimum} or more.`;
  if (issue.code === 'too_big' && isNumber) return `Must be ${issue.maximum} or less.`;
  return sayMessage(issue.message);
}

/** A value with one nested value replaced by that of another; undefined if it is missing there. */
function withInner(value: unknown, now: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return now;
  if (!isRecord(value) || !isRecord(now) || !(name in now)) return undefined;
  const inner = withInner(value[name], now[name], rest);
  return inner === undefined ? undefined : { ...value, [name]: inner };
}

/**
 * Draft of a form. Valid values become edits of the document immediately, one history step per field until a pause.
 * Invalid values wait in the draft; their errors appear on request.
 */
export class DraftStore {
  readonly subject: Subject;
  readonly #document: DocumentStore;
  readonly #onEdit: (values: ByPath) => void;
  readonly #key = `draft ${++drafts}`;
  /** History steps of this draft. */
  readonly #steps = observable.box<ReadonlySet<number>>(new Set(), { deep: false });
  /** Invalid values, which are not in the document. */
  waiting: ByPath = {};
  /** Visible errors. */
  errors: Problems = {};

  /** @param onEdit called with values that become edits */
  constructor(document: DocumentStore, subject: Subject, onEdit: (values: ByPath) => void = () => undefined) {
    this.#document = document;
    this.#onEdit = onEdit;
    this.subject = subject;
    makeObservable(this, {
      waiting: observableRef,
      errors: observableRef,
      isWaiting: computed,
      isChanged: computed,
      set: action,
      sayProblems: action,
      cancel: action,
    });
  }

  get #thing(): { config: object } | undefined {
    const { room } = this.#document;
    return this.subject.id === ROOM ? room : findElement(room.elements, this.subject.id);
  }

  /** The subject, with waiting values. */
  get value(): { config: object } {
    return mergeFields(this.#thing ?? { config: {} }, fieldsByPath(this.waiting));
  }

  /** The element, with waiting values. */
  get element(): Element {
    return this.value as Element;
  }

  /** Whether invalid values are waiting. */
  get isWaiting(): boolean {
    return Object.keys(this.waiting).length > 0;
  }

  /** Whether any changes have not been undone. */
  get isChanged(): boolean {
    return this.isWaiting || this.#ownSteps.length > 0;
  }

  get #ownSteps() {
    const { steps, done } = this.#document.history;
    return steps.slice(0, done).filter(({ id }) => this.#steps.get().has(id));
  }

  get(path: string): unknown {
    return byPath(this.value)[path];
  }

  /** Sets fields: valid values become edits, the others wait. */
  set(values: ByPath): void {
    const thing = this.#thing;
    if (!thing) return;
    const now = byPath(thing);
    const wanted = Object.entries({ ...this.waiting, ...values }).filter(([path, value]) => !isSame(now[path], value));
    this.waiting = Object.fromEntries(wanted);
    const problems = this.#problems();
    if (this.#document.isReadOnly) return;
    const right = this.#right(thing, problems);
    this.waiting = Object.fromEntries(
      wanted.filter(([path]) => problemsAt(problems, path).length > 0 || !(path in right)),
    );
    // Visible errors stay until they are fixed; new ones stay hidden.
    this.errors = Object.fromEntries(Object.entries(problems).filter(([path]) => path in this.errors));
    const changes = Object.entries(right).filter(([path, value]) => !isSame(now[path], value));
    if (changes.length > 0) this.#run(Object.fromEntries(changes), Object.keys(values).join(' '));
  }

  /** Shows the errors of waiting values. */
  sayProblems(): void {
    this.errors = this.isWaiting ? this.#problems() : {};
  }

  /** Restores earlier input, and shows its errors immediately. */
  restore(values: ByPath): void {
    this.set(values);
    this.sayProblems();
  }

  /**
   * Saves the draft.
   * @returns whether all values are in the document; if not, the errors are visible
   */
  save(): boolean {
    // In read-only mode, the document notifies the user.
    if (this.isWaiting && this.#document.isReadOnly) this.#run(this.waiting, '');
    this.sayProblems();
    return !this.isWaiting;
  }

  /**
   * Discards waiting values, and undoes the draft's edits that nobody has changed since.
   * @param label of the undo step
   * @returns the discarded values, for restoring them
   */
  cancel(label: string): ByPath {
    const thing = this.#thing;
    const before: ByPath = {};
    for (const { edits } of this.#ownSteps.toReversed())
      for (const { inverse } of edits.toReversed())
        if ('fields' in inverse) Object.assign(before, byPath(inverse.fields));
    const now = thing ? byPath(thing) : {};
    const back = Object.fromEntries(Object.entries(before).filter(([path, value]) => !isSame(now[path], value)));
    const gone = { ...Object.fromEntries(Object.keys(back).map((path) => [path, now[path]])), ...this.waiting };
    this.waiting = {};
    this.errors = {};
    if (thing && Object.keys(back).length > 0) this.#document.run(this.#command(back), { label });
    return gone;
  }

  /** Problems of waiting values, without problems that the document already has. */
  #problems(value = this.value): Problems {
    const schema = this.subject.id === ROOM ? roomFieldsSchema : flatElementSchema;
    const issuesOf = (of: object) => schema.safeParse(of).error?.issues ?? [];
    const issues = issuesOf(value);
    if (issues.length === 0) return {};
    const known = new Set(issuesOf(this.#thing ?? {}).map(({ path }) => path.join('.')));
    const own = issues.filter(({ path }) => {
      const name = path.join('.');
      return !known.has(name) || Object.keys(this.waiting).some((set) => name === set || name.startsWith(`${set}.`));
    });
    return Object.fromEntries(own.toReversed().map((issue) => [issue.path.join('.'), problemOf(issue)]));
  }

  /** Values that can become edits: fields without a problem, and the valid parts of fields with a problem inside. */
  #right(thing: { config: object }, problems: Problems): ByPath {
    const now = byPath(thing);
    const right: ByPath = {};
    for (const [path, value] of Object.entries(this.waiting)) {
      const inside = problemsAt(problems, path).map((problem) => problem.slice(path.length + 1));
      const parts = inside.map((name) => (name === '' ? [] : name.split('.')));
      if (parts.some((names) => names.length === 0)) continue;
      const settled = parts.reduce<unknown>((left, names) => withInner(left, now[path], names), value);
      if (settled !== undefined) right[path] = settled;
    }
    // Values that are only valid together with invalid ones wait, too.
    const isBroken = Object.keys(this.#problems(mergeFields(thing, fieldsByPath(right)))).length > 0;
    return isBroken ? {} : right;
  }

  #command(values: ByPath): RoomCommand {
    const fields = fieldsByPath(values);
    const { id } = this.subject;
    return id === ROOM
      ? { type: 'room.update', fields: fields as RoomFields }
      : { type: 'element.update', id, fields: fields as ElementFields };
  }

  #run(values: ByPath, field: string): void {
    const { label } = this.subject;
    this.#document.run(this.#command(values), { label, merge: `${this.#key} ${field}` });
    const last = this.#document.history.steps.at(-1);
    if (!last || this.#document.isReadOnly) return;
    this.#onEdit(values);
    this.#steps.set(new Set([...this.#steps.get(), last.id]));
  }
}
