import type { RoomCommand } from '../../document/commands.ts';
import type { TransformMode } from '../../machines/transform.ts';
import type { TransformFields } from '../../scene/hierarchy/transform.ts';
import type { ElementChange } from '../marks/shown-fields.ts';

/** Callbacks for editing a room on its stage. */
export interface EditEvents {
  selected(elementId: number | null): void;
  /** Toggle an element's selection. */
  toggled(elementId: number): void;
  /** A box was drawn around these. @param joins whether to add them to the selection */
  boxed(elementIds: readonly number[], joins: boolean): void;
  /** Whether the next drag draws a box. */
  boxArmed(isArmed: boolean): void;
  hovered(elementId: number | null): void;
  /** The selection is being moved, rotated or scaled, on the canvas only: one element, or the pivot of many. */
  transformed(transform: Required<TransformFields>): void;
  /** A gesture ended and changed these fields of one or many elements. */
  ended(changes: readonly ElementChange[], mode: TransformMode): void;
  /** Copies of elements were placed with these fields; the originals stay. */
  copied(changes: readonly ElementChange[]): void;
  /** A property was set with its handle, for example `distance`. */
  set(command: RoomCommand, property: string): void;
  /** The projection changed. */
  projected(isOrthographic: boolean): void;
  /** Measuring was turned on or off. */
  measuring(isOn: boolean): void;
}
