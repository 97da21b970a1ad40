/** Sheets of the small images of a room with many. */
export const SHEET = {
  /** Side of an image in pixels. */
  side: 64,
  /** Images per row. */
  columns: 16,
  /** Number of images in the first sheet, which arrives before the others, and in each of them. */
  first: 64,
  each: 256,
} as const;
