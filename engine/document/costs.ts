/** What a room is measured by. */
export const MEASURES = ['triangles', 'texture_bytes', 'draw_calls', 'download_bytes', 'dom_elements'] as const;
export type Measure = (typeof MEASURES)[number];
/** An amount of each measure. */
export type Costs = Record<Measure, number>;

/** Bytes of a pixel on the graphics chip. */
export const PIXEL_BYTES = 4;
/** Triangles of a box, and of a plane. */
export const BOX_TRIANGLES = 12;
export const PLANE_TRIANGLES = 2;

/** Where an element type writes what one element of it needs. Files that several elements use are counted once. */
export interface CostSheet {
  /** Adds what is known without the file. */
  add(costs: Partial<Costs>): void;
  /** The element's file as a texture: its download, and its pixels in memory with their smaller copies. */
  picture(): void;
  /** The element's file as a model. @param isPart whether one of its parts is drawn: all of them together draw it once */
  model(isPart: boolean): void;
  /** The element's file as something that is downloaded and drawn by nobody directly, such as a font. */
  download(): void;
  /** Says that something is drawn of which nothing is known. */
  unknown(): void;
}
