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
import type { DocumentStore } from '../session/document-store.ts';

/** Stands for the room itself where drafts go by the id of an element. */
export const ROOM = 0;

/** What is edited: an element by its id, or `ROOM`. */
export interface Subject {
  id: number;
  /** What its steps in the history are called. */
  label: string;
}

/** What is wrong, by the field's path. */
type Problems = Readonly<Record<string, string>>;

/** Drafts so far: steps of the history become one only where one draft made them. */
let drafts = 0;

/** Problems of a field and of what is in it. */
const problemsAt = (problems: Problems, path: string) =>
  Object.keys(problems).filter((problem) => problem === path || problem.startsWith(`${path}.`));

/** What is wrong, as people say it: schemas speak of types. */
function problemOf(issue: z.core.$ZodIssue): string {
  const isNumber = 'origin' in issue && (issue.origin === 'number' || issue.origin === 'int');
  if (issue.code === 'too_small' && isNumber) return `Must be ${issue.minimum} or more.`;
  if (issue.code === 'too_big' && isNumber) return `Must be ${issue.maximum} or less.`;
  return issue.message;
}

/** A value in which one inside has become what it is in another; undefined where that has none. */
function withInner(value: unknown, now: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return now;
  if (!isRecord(value) || !isRecord(now) || !(name in now)) return undefined;
  const inner = withInner(value[name], now[name], rest);
  return inner === undefined ? undefined : { ...value, [name]: inner };
}

/**
 * What a form edits. What is set becomes an edit of the document at once, one step for each field until a pause; what
 * is wrong waits here, and says why once it is asked for.
 */
export class DraftStore {
  readonly subject: Subject;
  readonly #document: DocumentStore;
  readonly #onEdit: (values: ByPath) => void;
  readonly #key = `draft ${++drafts}`;
  /** Steps of the history that were made here. */
  readonly #steps = observable.box<ReadonlySet<number>>(new Set(), { deep: false });
  /** What was set and is not in the document, because something is wrong with it. */
  waiting: ByPath = {};
  /** What is said to be wrong. */
  errors: Problems = {};

  /** @param onEdit told of what becomes an edit */
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

  /** The thing with what waits. */
  get value(): { config: object } {
    return mergeFields(this.#thing ?? { config: {} }, fieldsByPath(this.waiting));
  }

  /** The element with what waits. */
  get element(): Element {
    return this.value as Element;
  }

  /** Whether something that was set is wrong and waits. */
  get isWaiting(): boolean {
    return Object.keys(this.waiting).length > 0;
  }

  /** Whether anything was set that is not undone. */
  get isChanged(): boolean {
    return this.isWaiting || this.#ownSteps.length > 0;
  }

  get #ownSteps() {
    const { steps, done } = this.#document.history;
    return steps.slice(0, done).filter(({ id }) => this.#steps.get().has(id));
  }

  /** The value of a field. */
  get(path: string): unknown {
    return byPath(this.value)[path];
  }

  /** Sets fields: those that are right in the document, the others wait. */
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
    // Of what was said to be wrong, what is still wrong goes on being said.
    this.errors = Object.fromEntries(Object.entries(problems).filter(([path]) => path in this.errors));
    const changes = Object.entries(right).filter(([path, value]) => !isSame(now[path], value));
    if (changes.length > 0) this.#run(Object.fromEntries(changes), Object.keys(values).join(' '));
  }

  /** Says what is wrong with what waits. */
  sayProblems(): void {
    this.errors = this.isWaiting ? this.#problems() : {};
  }

  /** Sets what was typed before, and says at once what is wrong with it. */
  restore(values: ByPath): void {
    this.set(values);
    this.sayProblems();
  }

  /**
   * Whether everything that was set is in the document.
   * @returns false when something is wrong; the errors then say what
   */
  save(): boolean {
    // The document says why it takes nothing.
    if (this.isWaiting && this.#document.isReadOnly) this.#run(this.waiting, '');
    this.sayProblems();
    return !this.isWaiting;
  }

  /**
   * Forgets what waits, and undoes what was set, as far as nobody else has set it since.
   * @param label of the step that undoes it
   * @returns what is gone, to be set again
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

  /** What is wrong with what waits; nothing of what was wrong before. */
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

  /** What can become an edit: fields without a problem, and of those that have one inside, what stands beside it. */
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
    // What is only right together with what is wrong waits with it.
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
