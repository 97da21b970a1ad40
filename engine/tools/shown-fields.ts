import { type ElementFields, mergeFields, type RoomCommand } from '../document/commands.ts';
import type { Element } from '../document/element.ts';
import { isRecord } from '../document/field-paths.ts';
import { findElement } from '../document/tree.ts';
import type { EditableScene } from '../scene/editable-scene.ts';

const PARTS = ['position', 'rotation', 'scale'] as const;
const TRANSFORM = /^(?:position|rotation|scale)_[xyz]$/;

/** Numbers of fields by their paths, such as `config.target.position.x`. */
export type Numbers = Readonly<Record<string, number>>;

/** The numbers among fields, however deep. */
export function numbersOf(fields: object, above = ''): Numbers {
  const entries = Object.entries(fields).flatMap(([name, value]): [string, number][] => {
    if (typeof value === 'number') return [[above + name, value]];
    return isRecord(value) ? Object.entries(numbersOf(value, `${above}${name}.`)) : [];
  });
  return Object.fromEntries(entries);
}

/** A value with a number set inside, where it has one, or none, already: what others send sets nothing else. */
function withNumber(value: unknown, [name, ...rest]: readonly string[], number: number): unknown {
  if (name === undefined) return typeof value === 'number' || value === null ? number : value;
  if (!isRecord(value) || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: withNumber(value[name], rest, number) };
}

/** Numbers by their paths as fields of an element, which has all of them already. */
export function fieldsOf(element: Element, numbers: Numbers): ElementFields {
  let whole: unknown = element;
  for (const [path, number] of Object.entries(numbers)) whole = withNumber(whole, path.split('.'), number);
  const after = whole as Element;
  const config = Object.entries(after.config).filter(
    ([name, value]) => value !== (element.config as Record<string, unknown>)[name],
  );
  const others = Object.keys(numbers).filter((name) => !name.includes('.') && Object.hasOwn(element, name));
  return {
    ...Object.fromEntries(others.map((name) => [name, (after as Record<string, unknown>)[name]])),
    ...(config.length > 0 && { config: Object.fromEntries(config) }),
  };
}

interface Shown {
  fields: ElementFields;
  /** The element as the document has it. */
  base: Element;
}

/** What an element has in the fields that others name. */
function sameFields(element: Element, { config, ...others }: ElementFields): ElementFields {
  const pick = (from: object, keys: object) =>
    Object.fromEntries(Object.keys(keys).map((key) => [key, (from as Record<string, unknown>)[key]]));
  return { ...pick(element, others), ...(config && { config: pick(element.config, config) }) };
}

const joined = (one: ElementFields, other: ElementFields): ElementFields => ({
  ...one,
  ...other,
  ...((one.config || other.config) && { config: { ...one.config, ...other.config } }),
});

/** Elements that are shown otherwise than the document has them, until that says so or it is over. */
export class ShownFields {
  readonly #scene: EditableScene;
  readonly #shown = new Map<number, Shown>();

  constructor(scene: EditableScene) {
    this.#scene = scene;
  }

  /** Ids of what is shown otherwise. */
  get ids(): number[] {
    return [...this.#shown.keys()];
  }

  /** An element that is shown otherwise, as the document has it. */
  baseOf(id: number): Element | undefined {
    return this.#shown.get(id)?.base;
  }

  /**
   * Shows an element with these fields, and with no others that were shown before.
   * @param element as the document has it, where that is known
   */
  show(id: number, fields: ElementFields, element?: Element): void {
    const known = this.#shown.get(id);
    const base = known?.base ?? element ?? findElement(this.#scene.room.elements, id);
    if (!base) return;
    this.#shown.set(id, { fields, base });
    this.#put(base, joined(known ? sameFields(base, known.fields) : {}, fields));
  }

  /** Shows an element as the document has it. */
  release(id: number): void {
    const shown = this.#shown.get(id);
    this.#shown.delete(id);
    if (shown) this.#put(shown.base, sameFields(shown.base, shown.fields));
  }

  #put(base: Element, fields: ElementFields): void {
    const { id } = base;
    const entity = this.#scene.entityOf(id);
    if (entity === undefined) return;
    const { config, ...others } = fields;
    if (config || Object.keys(others).some((name) => !TRANSFORM.test(name))) {
      this.#scene.patch({ type: 'element.update', id, fields });
      return;
    }
    const values = { ...base, ...others } as Record<string, unknown>;
    const [position, rotation, scale] = PARTS.map((part) => ({
      x: Number(values[`${part}_x`]),
      y: Number(values[`${part}_y`]),
      z: Number(values[`${part}_z`]),
    }));
    this.#scene.setTransform(entity, { position: position!, rotation: rotation!, scale: scale! });
  }

  /** The document has changed: what is shown otherwise still is. */
  patched(commands: readonly RoomCommand[]): void {
    for (const command of commands) {
      const shown = command.type === 'element.update' ? this.#shown.get(command.id) : undefined;
      if (shown && command.type === 'element.update') shown.base = mergeFields(shown.base, command.fields);
    }
    for (const { base, fields } of this.#shown.values()) this.#put(base, fields);
  }
}
