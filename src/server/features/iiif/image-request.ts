import type { IiifSize, IiifWork } from '../../../contract/entities.ts';

/** Longest side of a requested image in pixels: works on walls need no more. */
const LONGEST = 2048;

type Service = NonNullable<IiifWork['service']>;
type Json = Record<string, unknown>;

/** An image to request, and its expected size; null if it is unknown. */
export interface ImageRequest {
  url: string;
  size: IiifSize | null;
}

const positive = (value: unknown): number | null => (typeof value === 'number' && value > 0 ? value : null);
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

function sizeIn({ width, height }: Json): IiifSize | null {
  const [across, up] = [positive(width), positive(height)];
  return across && up ? { width: across, height: up } : null;
}

const longest = ({ width, height }: IiifSize) => Math.max(width, height);

/** Whether a service only has the sizes that it lists: level 0. */
function isFixed({ profile }: Json): boolean {
  const first = Array.isArray(profile) ? profile[0] : profile;
  return typeof first !== 'string' || !/level[12]/.test(first);
}

/** The largest size within the limits of a service (Image API 3.0, 5.2). */
function within({ width, height }: IiifSize, info: Json): IiifSize {
  // Without a maximum height, the maximum width holds for both.
  const maxWidth = positive(info.maxWidth);
  const maxHeight = positive(info.maxHeight) ?? maxWidth;
  const maxArea = positive(info.maxArea);
  const scale = Math.min(
    1,
    LONGEST / Math.max(width, height),
    (maxWidth ?? Infinity) / width,
    (maxHeight ?? Infinity) / height,
    Math.sqrt((maxArea ?? Infinity) / (width * height)),
  );
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
}

/** Sizes of whole images that a level 0 service has: the listed ones, and those that fit into one tile. */
function fixedSizes(info: Json, full: IiifSize): IiifSize[] {
  const sizes = listOf(info.sizes).flatMap((size) => sizeIn(size) ?? []);
  if (sizes.length > 0) return sizes;
  return listOf(info.tiles).flatMap((tile) => {
    const [width, height] = [positive(tile.width), positive(tile.height) ?? positive(tile.width)];
    const factors = Array.isArray(tile.scaleFactors) ? tile.scaleFactors : [];
    return factors.flatMap((each): IiifSize[] => {
      const factor = positive(each);
      if (!factor || !width || !height) return [];
      const size = { width: Math.ceil(full.width / factor), height: Math.ceil(full.height / factor) };
      return size.width <= width && size.height <= height ? [size] : [];
    });
  });
}

/** The best of some sizes: the largest one that isn't too large, otherwise the smallest one. */
const bestOf = (sizes: readonly IiifSize[]): IiifSize | undefined =>
  sizes.filter((size) => longest(size) <= LONGEST).toSorted((a, b) => longest(b) - longest(a))[0] ??
  sizes.toSorted((a, b) => longest(a) - longest(b))[0];

/**
 * Address of a whole image (Image API 3.0, 4.7). Levels 1 and 2 accept a width alone; level 0 has canonical addresses only,
 * which contain both sides in version 3.
 */
const addressOf = ({ id, version }: Service, { width, height }: IiifSize, isCanonical: boolean) =>
  `${id}/full/${version === 3 && isCanonical ? `${width},${height}` : `${width},`}/0/default.jpg`;

/**
 * The image of a service that fits a room.
 * @param info its `info.json`; null if it can't be read
 * @param stated size of the image as the manifest states it
 */
export function imageRequest(service: Service, info: unknown, stated: IiifSize | null): ImageRequest | null {
  const facts = isObject(info) ? info : {};
  const full = sizeIn(facts) ?? stated;
  if (!full) return null;
  if (isObject(info) && isFixed(facts)) {
    const size = bestOf(fixedSizes(facts, full));
    return size ? { url: addressOf(service, size, true), size } : null;
  }
  const size = within(full, facts);
  const isWhole = size.width === Math.floor(full.width) && size.height === Math.floor(full.height);
  const whole = `${service.id}/full/${service.version === 3 ? 'max' : 'full'}/0/default.jpg`;
  return { url: isWhole ? whole : addressOf(service, size, false), size };
}
