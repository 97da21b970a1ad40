/** Limits of the stage, so that the browser doesn't end the page for lack of memory. */
export interface Budget {
  /** Canvas pixels per CSS pixel. */
  pixelRatio: number;
  /** GPU bytes of images on walls. */
  imageBytes: number;
  /** Maximum width in pixels of the whole image of a panorama that has tiles, and of one that has none. */
  panoramaWidth: number;
  untiledWidth: number;
  /** GPU bytes of panoramas that aren't drawn, and of those among them that are loaded ahead. */
  panoramaBytes: number;
  aheadBytes: number;
  /** Tiles of panoramas: 4 MB of GPU memory each. */
  tiles: number;
  /** Loaded players and pages, and loaded models. */
  players: number;
  models: number;
  /** Bytes of files of other rooms that are loaded ahead. */
  doorBytes: number;
}

/** GPU bytes of a panorama with a width in pixels. */
const panoramaBytes = (width: number): number => width * (width / 2) * 4;

/** Budgets of device classes. */
export const BUDGETS = {
  /** Computers. */
  large: {
    pixelRatio: 2,
    imageBytes: 128e6,
    panoramaWidth: 4096,
    // As wide as the GPU allows: nothing else adds sharpness.
    untiledWidth: Number.POSITIVE_INFINITY,
    panoramaBytes: 5 * panoramaBytes(4096),
    aheadBytes: 3 * panoramaBytes(4096),
    tiles: 24,
    players: 24,
    models: 48,
    doorBytes: 40e6,
  },
  /** Phones and tablets, and computers with at most 4 GB. */
  medium: {
    pixelRatio: 2,
    imageBytes: 64e6,
    panoramaWidth: 4096,
    untiledWidth: 4096,
    panoramaBytes: 3 * panoramaBytes(4096),
    aheadBytes: 2 * panoramaBytes(4096),
    tiles: 16,
    players: 16,
    models: 32,
    doorBytes: 20e6,
  },
  /** Devices with at most 2 GB, two processor cores, or textures of 4096 pixels. */
  small: {
    pixelRatio: 1.5,
    imageBytes: 32e6,
    panoramaWidth: 2048,
    untiledWidth: 2048,
    panoramaBytes: 2 * panoramaBytes(2048),
    aheadBytes: panoramaBytes(2048),
    tiles: 8,
    players: 6,
    models: 12,
    doorBytes: 5e6,
  },
} as const satisfies Record<string, Budget>;

export type DeviceClass = keyof typeof BUDGETS;
const CLASSES = ['large', 'medium', 'small'] as const satisfies DeviceClass[];

/** Facts about a device, as far as its browser tells them. */
export interface Device {
  /** Gigabytes of memory, rounded, at most 8. */
  memory?: number | undefined;
  cores?: number | undefined;
  /** Whether its main pointer is a finger. */
  isTouched: boolean;
  /** Maximum side of a texture in pixels. */
  textureSide?: number | undefined;
}

/** The class of a device. */
export function classOf({ memory = Number.POSITIVE_INFINITY, cores, isTouched, textureSide }: Device): DeviceClass {
  const isWeak = isTouched && ((cores ?? 8) <= 2 || (textureSide ?? 8192) <= 4096);
  if (memory <= 2 || isWeak) return 'small';
  return isTouched || memory <= 4 ? 'medium' : 'large';
}

/** Number of classes by which this page's budget was lowered. */
let lowered = 0;
let textureSide: number | undefined;
let known: DeviceClass | undefined;

/** The limits of this device. */
export function budget(): Budget {
  const { deviceMemory: memory, hardwareConcurrency: cores } = navigator as Navigator & { deviceMemory?: number };
  known ??= classOf({ memory, cores, textureSide, isTouched: matchMedia('(pointer: coarse)').matches });
  return BUDGETS[CLASSES[Math.min(CLASSES.indexOf(known) + lowered, CLASSES.length - 1)]!];
}

/** Tells the budget the maximum side of a texture, once the GPU is known. */
export function noteTextureSide(side: number): void {
  textureSide = side;
  known = undefined;
}

/** Lowers the budget by a class, as long as there is one. */
export function lowerBudget(): void {
  lowered++;
}

/** Whether the visitor asked the browser to save data. */
export const savesData = (): boolean =>
  (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;

/**
 * How much of a file a player loads before it plays.
 * @param wanted unless the visitor saves data
 * @param least if the visitor saves data
 */
export const preloadOf = (
  wanted: 'auto' | 'metadata',
  least: 'metadata' | 'none' = 'none',
): 'auto' | 'metadata' | 'none' => (savesData() ? least : wanted);
