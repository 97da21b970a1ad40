import type { RoomCommand } from '../document/commands.ts';
import type { TransformMode } from '../machines/transform.ts';
import type { TransformFields } from '../scene/hierarchy/transform.ts';
import type { ElementChange } from './subjects.ts';

/** What editing a room on its stage tells. */
export interface EditEvents {
  selected(elementId: number | null): void;
  /** An element is to join what is selected, or to leave it. */
  toggled(elementId: number): void;
  /** A box was drawn around these. @param joins whether they join what is selected */
  boxed(elementIds: readonly number[], joins: boolean): void;
  /** The next drag draws a box, or no longer. */
  boxArmed(isArmed: boolean): void;
  hovered(elementId: number | null): void;
  /** What is selected is being moved, turned or sized, on the canvas only: the one, or the pivot of many. */
  transformed(transform: Required<TransformFields>): void;
  /** A gesture has ended and changed these fields, of one element or of many. */
  ended(changes: readonly ElementChange[], mode: TransformMode): void;
  /** Copies of elements were put down with these fields; the elements stay where they are. */
  copied(changes: readonly ElementChange[]): void;
  /** A property was set by its handle, such as `distance`. */
  set(command: RoomCommand, property: string): void;
  /** The room is shown without perspective, or with it again. */
  projected(isOrthographic: boolean): void;
  /** Distances are measured by pressing, or no longer. */
  measuring(isOn: boolean): void;
}
