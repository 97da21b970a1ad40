import { computed, makeObservable, observable, observableRef, runInAction } from 'mobx';
import {
  applyCommand,
  type ElementFields,
  mergeFields,
  type RoomCommand,
  type RoomFields,
} from '../../../engine/document/commands.ts';
import { type Element, flatElementSchema } from '../../../engine/document/element.ts';
import { type ByPath, byPath, fieldsByPath, isSame } from '../../../engine/document/field-paths.ts';
import { roomFieldsSchema } from '../../../engine/document/room.ts';
import { findElement } from '../../../engine/document/tree.ts';
import type { DocumentStore } from '../session/document-store.ts';

/** What is edited: an element, or the room itself. */
export type Subject = { kind: 'element'; id: number; label: string } | { kind: 'room'; label: string };

/** A local copy of what a form edits: shown in the room while one types, and made an edit by saving. */
export class DraftStore {
  readonly #document: DocumentStore;
  readonly #subject: Subject;
  /** Fields that were set here, by path. */
  edits: ByPath = {};
  /** What is wrong, by the field's path. */
  errors: Readonly<Record<string, string>> = {};
  isSaving = false;

  constructor(document: DocumentStore, subject: Subject) {
    this.#document = document;
    this.#subject = subject;
    makeObservable(this, {
      edits: observableRef,
      errors: observableRef,
      isSaving: observable,
      changes: computed,
      isDirty: computed,
    });
  }

  get #thing(): { config: object } {
    const { room } = this.#document;
    return this.#subject.kind === 'room' ? room : (findElement(room.elements, this.#subject.id) ?? { config: {} });
  }

  /** The thing with what was set here. */
  get value(): { config: object } {
    return mergeFields(this.#thing, fieldsByPath(this.edits));
  }

  /** The element with what was set here. */
  get element(): Element {
    return this.value as Element;
  }

  /** What was set and is not what it was. */
  get changes(): ByPath {
    const before = byPath(this.#thing);
    return Object.fromEntries(Object.entries(this.edits).filter(([path, value]) => !isSame(before[path], value)));
  }

  get isDirty(): boolean {
    return Object.keys(this.changes).length > 0;
  }

  /** The value of a field. */
  get(path: string): unknown {
    return byPath(this.value)[path];
  }

  /** Sets fields, and shows them in the room as far as they are right. */
  set(values: ByPath): void {
    runInAction(() => {
      this.edits = { ...this.edits, ...values };
      const isAbout = (error: string) =>
        Object.keys(values).some((path) => error === path || error.startsWith(`${path}.`));
      this.errors = Object.fromEntries(Object.entries(this.errors).filter(([path]) => !isAbout(path)));
    });
    this.#look();
  }

  /** Puts back what was typed before, and says at once what is wrong with it. */
  restore(values: ByPath): void {
    this.set(values);
    runInAction(() => (this.errors = this.isDirty ? this.#check() : {}));
  }

  #check(value = this.value): Record<string, string> {
    const schema = this.#subject.kind === 'room' ? roomFieldsSchema : flatElementSchema;
    const issues = schema.safeParse(value).error?.issues ?? [];
    return Object.fromEntries(issues.toReversed().map(({ path, message }) => [path.join('.'), message]));
  }

  /** What was set and has nothing wrong about it. */
  #right(errors: object): ByPath {
    const wrong = Object.keys(errors);
    const right = Object.entries(this.changes).filter(
      ([path]) => !wrong.some((error) => error === path || error.startsWith(`${path}.`)),
    );
    return Object.fromEntries(right);
  }

  #look(): void {
    const right = this.#right(this.#check());
    this.#document.preview(Object.keys(right).length > 0 ? this.#command(fieldsByPath(right)) : null);
  }

  #command(fields: object): RoomCommand {
    return this.#subject.kind === 'room'
      ? ({ type: 'room.update', fields: fields as RoomFields } as const)
      : ({ type: 'element.update', id: this.#subject.id, fields: fields as ElementFields } as const);
  }

  /**
   * Makes an edit of what was set.
   * @returns false when something is wrong with it; the errors then say what
   */
  save(): boolean {
    const { changes } = this;
    const wrong = this.isDirty ? this.#check() : {};
    if (Object.keys(wrong).length > 0) {
      runInAction(() => (this.errors = wrong));
      return false;
    }
    runInAction(() => (this.isSaving = true));
    this.#document.preview(null);
    if (this.isDirty) this.#document.run(this.#command(fieldsByPath(changes)), { label: this.#subject.label });
    runInAction(() => {
      this.edits = {};
      this.isSaving = false;
    });
    return true;
  }

  /**
   * Makes an edit of what is right; what is wrong stays set, and the errors say why.
   * @returns what takes the edit back; null where nothing was right
   */
  saveRight(): RoomCommand | null {
    const errors = this.#check();
    const right = this.#right(errors);
    this.#document.preview(null);
    runInAction(() => (this.errors = errors));
    // What is only right together with what is wrong waits with it.
    const known = this.#check(this.#thing);
    const broken = Object.keys(this.#check(mergeFields(this.#thing, fieldsByPath(right)))).filter(
      (path) => !(path in known),
    );
    if (Object.keys(right).length === 0 || broken.length > 0) return null;
    const command = this.#command(fieldsByPath(right));
    const { inverse } = applyCommand(this.#document.room, command);
    this.#document.run(command, { label: this.#subject.label });
    return inverse;
  }

  /** Forgets what was set; the room shows what it was. */
  cancel(): void {
    this.#document.preview(null);
    runInAction(() => {
      this.edits = {};
      this.errors = {};
    });
  }
}
