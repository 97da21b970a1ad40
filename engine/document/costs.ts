/** Measures of a room's load. */
export const MEASURES = [
  'triangles',
  'splats',
  'texture_bytes',
  'draw_calls',
  'download_bytes',
  'dom_elements',
] as const;
export type Measure = (typeof MEASURES)[number];
/** A value for each measure. */
export type Costs = Record<Measure, number>;

/** Bytes per pixel in GPU memory. */
export const PIXEL_BYTES = 4;
/** Triangles of a box and of a plane. */
export const BOX_TRIANGLES = 12;
export const PLANE_TRIANGLES = 2;
/** Triangles of a frame: five strips of four sides, and its back. */
export const FRAME_TRIANGLES = 42;

/** Receives the costs of one element from its type. Shared files are counted once. */
export interface CostSheet {
  /** Adds costs that don't depend on the file. */
  add(costs: Partial<Costs>): void;
  /** Adds a draw call that all elements share. @param key identifies the draw call */
  shared(key: string): void;
  /** Counts the element's file as a texture: its download, and its pixels with mipmaps. */
  picture(): void;
  /**
   * Counts the element's file as a model. @param isPart whether the element draws only part of it: together the parts draw
   * it once
   */
  model(isPart: boolean): void;
  /** Counts the element's file as a download that is not drawn directly, such as a font. */
  download(): void;
  /** Marks the element's costs as unknown. */
  unknown(): void;
}
