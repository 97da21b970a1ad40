/**
 * The numbers that govern rooms as documents. Free of libraries, so that the parts which play a room can read them
 * without loading the schemas.
 */

/** Version of the document format that this code writes. Older documents are lifted by `migrations.ts`. */
export const DOCUMENT_VERSION = 2;

/** Room size where none is set, in units (one unit is one CSS pixel at scale 1). */
export const ROOM_SIZE = { width: 2000, height: 1000, depth: 6000 } as const;

/**
 * Units of a room in a meter of the visitor's own space. A room is 1000 units high unless set, and visitors start in the
 * middle of its height: 500 units are then the 1.6 m at which the eyes of somebody who stands are.
 */
export const UNITS_PER_METER = 500 / 1.6;

/** Line segments of a grid room along width, height and depth. */
export const GRID_SEGMENTS = { width: 8, height: 6, depth: 30 } as const;

/** Camera where nothing is set: distances in units, field of view in degrees. */
export const CAMERA_DEFAULTS = { near: 0.1, far: 6000, fov: 50 } as const;

/** Distance of a proximity sensor where none is set, in units. */
export const PROXIMITY_DISTANCE = 1000;

/** Widest zone in which volume fades with distance, in units. */
export const FADE_ZONE = 200;

/** Seconds that timed media may run ahead or behind before it is sought. */
export const MAX_OUT_OF_SYNC = 5;

/** View-point transition speed where none is set; lower is slower. */
export const VIEW_POINT_DAMPING = 0.05;

/** Pulse of a view-point disc: milliseconds of one pulse, and segments of the disc. */
export const PULSE = { duration: 1500, segments: 32 } as const;

/** Font sizes of a button in pixels. */
export const BUTTON_FONT = { title: 100, sub_title: 40 } as const;

/** Size and extrusion of 3D text in units. */
export const TEXT_3D = { size: 80, depth: 5 } as const;

/** Side of an image where neither is set, in units; the other follows the picture's ratio. */
export const IMAGE_SIDE = 200;

/** Deepest nesting of elements, and most elements in one room. */
export const MAX_DEPTH = 32;
export const MAX_ELEMENTS = 20_000;

/** Seconds in a day. */
export const DAY = 86_400;
