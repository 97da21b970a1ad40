import { type ElementFields, mergeFields, type RoomCommand } from '../../document/commands.ts';
import type { Element } from '../../document/element.ts';
import { isRecord } from '../../document/field-paths.ts';
import { findElement } from '../../document/tree.ts';
import type { EditableScene } from '../../scene/editable-scene.ts';

/** Changed fields of an element. */
export interface ElementChange {
  id: number;
  fields: ElementFields;
}

const PARTS = ['position', 'rotation', 'scale'] as const;
const TRANSFORM = /^(?:position|rotation|scale)_[xyz]$/;

/** Numeric fields by path, for example `config.target.position.x`. */
export type Numbers = Readonly<Record<string, number>>;

/** All numbers in nested fields. */
export function numbersOf(fields: object, above = ''): Numbers {
  const entries = Object.entries(fields).flatMap(([name, value]): [string, number][] => {
    if (typeof value === 'number') return [[above + name, value]];
    return isRecord(value) ? Object.entries(numbersOf(value, `${above}${name}.`)) : [];
  });
  return Object.fromEntries(entries);
}

/**
 * Sets a number inside a value, only where there is already a number or null, because the data comes from other
 * users.
 */
function withNumber(value: unknown, [name, ...rest]: readonly string[], number: number): unknown {
  if (name === undefined) return typeof value === 'number' || value === null ? number : value;
  if (!isRecord(value) || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: withNumber(value[name], rest, number) };
}

/** Converts numbers by path to fields of an element. */
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
  /** The element in the document. */
  base: Element;
}

/** An element's current values of the given fields. */
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

/** Elements shown with uncommitted field values, until committed or discarded. */
export class ShownFields {
  readonly #scene: EditableScene;
  readonly #shown = new Map<number, Shown>();

  constructor(scene: EditableScene) {
    this.#scene = scene;
  }

  /** Ids of these elements. */
  get ids(): number[] {
    return [...this.#shown.keys()];
  }

  /** The document's version of such an element. */
  baseOf(id: number): Element | undefined {
    return this.#shown.get(id)?.base;
  }

  /**
   * Shows an element with exactly these uncommitted fields.
   * @param element in the document, if known
   */
  show(id: number, fields: ElementFields, element?: Element): void {
    const known = this.#shown.get(id);
    const base = known?.base ?? element ?? findElement(this.#scene.room.elements, id);
    if (!base) return;
    this.#shown.set(id, { fields, base });
    this.#put(base, joined(known ? sameFields(base, known.fields) : {}, fields));
  }

  /** Shows an element as in the document again. */
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

  /** Reapplies uncommitted fields after an edit of the document. */
  patched(commands: readonly RoomCommand[]): void {
    for (const command of commands) {
      const shown = command.type === 'element.update' ? this.#shown.get(command.id) : undefined;
      if (shown && command.type === 'element.update') shown.base = mergeFields(shown.base, command.fields);
    }
    for (const { base, fields } of this.#shown.values()) this.#put(base, fields);
  }
}
