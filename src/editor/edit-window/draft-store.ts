import { computed, makeObservable, observable, observableRef, runInAction } from 'mobx';
import { type ElementFields, mergeFields, type RoomFields } from '../../../engine/document/commands.ts';
import { type Element, flatElementSchema } from '../../../engine/document/element.ts';
import { type ByPath, byPath, fieldsOf, isSame } from '../../../engine/document/field-paths.ts';
import { roomFieldsSchema } from '../../../engine/document/room.ts';
import { findElement } from '../../../engine/document/tree.ts';
import type { DocumentStore } from '../document/document-store.ts';

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
    return mergeFields(this.#thing, fieldsOf(this.edits));
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

  #check(): Record<string, string> {
    const schema = this.#subject.kind === 'room' ? roomFieldsSchema : flatElementSchema;
    const issues = schema.safeParse(this.value).error?.issues ?? [];
    return Object.fromEntries(issues.toReversed().map(({ path, message }) => [path.join('.'), message]));
  }

  #look(): void {
    const wrong = Object.keys(this.#check());
    const right = Object.entries(this.changes).filter(
      ([path]) => !wrong.some((error) => error === path || error.startsWith(`${path}.`)),
    );
    const fields = fieldsOf(Object.fromEntries(right));
    this.#document.preview(right.length > 0 ? this.#command(fields) : null);
  }

  #command(fields: object) {
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
    if (this.isDirty) this.#document.run(this.#command(fieldsOf(changes)), { label: this.#subject.label });
    runInAction(() => {
      this.edits = {};
      this.isSaving = false;
    });
    return true;
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
