/** Constants of the document format. No imports, so that the player can use them without loading the schemas. */

/** Document format version written by this code. `migrations.ts` upgrades older documents. */
export const DOCUMENT_VERSION = 2;

/** Default room size in units (one unit is one CSS pixel at scale 1). */
export const ROOM_SIZE = { width: 2000, height: 1000, depth: 6000 } as const;

/**
 * Units per meter of the visitor's physical space. A room is 1000 units high by default and visitors start at half that
 * height, so 500 units correspond to a standing eye height of 1.6 m.
 */
export const UNITS_PER_METER = 500 / 1.6;

/** Line segments of a grid room along width, height and depth. */
export const GRID_SEGMENTS = { width: 8, height: 6, depth: 30 } as const;

/** Vertical field of view on portrait screens in degrees, unless a room sets it. */
export const PORTRAIT_FOV = 75;

/** Default camera: distances in units, field of view in degrees. */
export const CAMERA_DEFAULTS = { near: 0.1, far: 6000, fov: 50 } as const;

/** Default distance of a proximity sensor, in units. */
export const PROXIMITY_DISTANCE = 1000;

/** Maximum width of the volume fade zone, in units. */
export const FADE_ZONE = 200;

/** Maximum drift of timed media before a seek, in seconds. */
export const MAX_OUT_OF_SYNC = 5;

/** Default speed of view-point transitions; lower is slower. */
export const VIEW_POINT_DAMPING = 0.05;

/** Pulse of a view-point disc: period in milliseconds, and segments of the disc. */
export const PULSE = { duration: 1500, segments: 32 } as const;

/** Font sizes of a button in pixels. */
export const BUTTON_FONT = { title: 100, sub_title: 40 } as const;

/** Size and extrusion depth of 3D text in units. */
export const TEXT_3D = { size: 80, depth: 5 } as const;

/** Default side of an image in units if neither is set; the other follows from the aspect ratio. */
export const IMAGE_SIDE = 200;

/** Distance in units between a flat element and its surface. */
export const STAND_OFF = 10;

/** Maximum nesting depth, and maximum elements per room. */
export const MAX_DEPTH = 32;
export const MAX_ELEMENTS = 20_000;

/** Maximum elements in a block, its group included. */
export const MAX_BLOCK_ELEMENTS = 500;

/** Seconds in a day. */
export const DAY = 86_400;

/** Maximum view points that one element can be limited to. */
export const MAX_VISIBLE_AT = 1000;

/** Maximum marks on a plan. */
export const MAX_PLAN_MARKS = 500;

/** Transitions between places: zoom towards the door during the cross-fade, cross-fade only, or none. */
export const TRANSITIONS = ['zoom', 'fade', 'cut'] as const;
export type Transition = (typeof TRANSITIONS)[number];

/** Ways to show colors brighter than white: Khronos PBR Neutral, ACES filmic, AgX, or cut off. */
export const TONE_MAPPINGS = ['neutral', 'aces', 'agx', 'none'] as const;
export type ToneMapping = (typeof TONE_MAPPINGS)[number];

/** Default frame of images, in units: none. Once it has a width, it reaches the wall behind an image at `STAND_OFF`. */
export const FRAMING = {
  frame_width: 0,
  frame_depth: 12,
  frame_color: '#2B231C',
  mat_width: 0,
  mat_color: '#F7F6F2',
  contact_shadow: 0,
} as const;

/** Layouts of 360° videos: one image, or one per eye; `auto` derives it from the aspect ratio. */
export const STEREO_LAYOUTS = ['auto', 'mono', 'top_bottom', 'left_right'] as const;

/** Icons of hotspots by what they lead to. */
export const HOTSPOT_ICONS = ['walk', 'stairs', 'door', 'info', 'image', 'video', 'sound', 'link'] as const;

/**
 * Splats that a device draws at once; more are drawn in less detail. Spark's defaults:
 * https://sparkjs.dev/docs/lod-getting-started/
 */
export const SPLAT_LIMITS = { phone: 1_000_000, desktop: 2_500_000 } as const;

/** Limits of all images of a room; see `engine/stage/batches`. */
export const IMAGE_LIMITS = {
  /** Number of images up to which each is drawn by itself. */
  single: 40,
  /** GPU bytes of all images: on devices with much memory, and on phones. */
  bytes: { desktop: 128e6, phone: 64e6 },
  /** Draw calls of images in batches: of the batches, and of those that are drawn by themselves. */
  batches: 11,
  near: 28,
} as const;
