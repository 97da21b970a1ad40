import { IMAGE_LIMITS, SPLAT_LIMITS } from './constants.ts';
import { BOX_TRIANGLES, type CostSheet, type Costs, MEASURES, PIXEL_BYTES } from './costs.ts';
import { descriptorOf, type Element } from './element.ts';
import type { FileReference } from './fields.ts';
import { MAX_PANORAMA_TILES, PANORAMA_TILE, WHOLE_PANORAMA_WIDTH } from './panorama.ts';
import type { Room } from './room.ts';
import { shownElements } from './tree.ts';

/** Device classes with a budget. */
export const DEVICES = ['phone', 'desktop'] as const;
export type Device = (typeof DEVICES)[number];

const MB = 1024 * 1024;

/**
 * Room budgets for a phone a few years old and for a computer with integrated graphics.
 * These are rules of thumb, not measurements on each device: a room within budget runs well, a room above it needs testing.
 */
export const BUDGETS: Record<Device, Costs> = {
  phone: {
    /** About the maximum that guides recommend for phones and for standalone headsets, which use the same chips. */
    triangles: 500_000,
    splats: SPLAT_LIMITS.phone,
    /** Phone browsers limit WebGL memory to 256 MB and up; meshes, frame buffers and the page need part of that. */
    texture_bytes: 150 * MB,
    /** Guides for 3D pages on phones recommend 100 to 300; each call costs script and driver time. */
    draw_calls: 200,
    /** Ten seconds at 9 Mbit/s, the slow connection used in this project's measurements. */
    download_bytes: 10 * MB,
    /** Each is a compositor layer; a full-screen layer takes about 4 MB. */
    dom_elements: 20,
  },
  desktop: {
    /** Six times the phone budget, for integrated graphics. */
    triangles: 3_000_000,
    splats: SPLAT_LIMITS.desktop,
    /** Integrated graphics share system memory; an eighth of 8 GB leaves room for other pages. */
    texture_bytes: 1024 * MB,
    /** Five times the phone budget: single-core script speed is the limit. */
    draw_calls: 1000,
    /** Ten seconds at 40 Mbit/s, a typical home connection. */
    download_bytes: 50 * MB,
    /** Five times the phone budget, limited by layer memory. */
    dom_elements: 100,
  },
};

/** Metadata of a media file from the media library. */
export interface MediaFacts {
  bytes: number;
  /** Size in pixels, for images. */
  width?: number | null | undefined;
  height?: number | null | undefined;
  /** Its lighter version, which visitors load: size, and memory of a model's textures; null where there is none. */
  optimized?: { bytes: number | null; gpu_bytes: number | null } | null;
  /** For models: `triangles`, `draw_calls` and `texture_pixels`, if counted. */
  details: Readonly<Record<string, unknown>>;
}

/** Costs of one element, or of the template if `id` is null. A shared file counts toward the first element that uses it. */
export interface ElementCosts {
  /** Null for the template. */
  id: number | null;
  /** The element's name, or its type's label if it has none. */
  name: string;
  /** Media file of the element; null for none. */
  file_id: number | null;
  costs: Costs;
}

/** Load of a room on a visitor's device and connection. */
export interface RoomBudget {
  totals: Costs;
  /** Everything with a cost, heaviest first by its largest share of a phone's budget. */
  elements: ElementCosts[];
  /** Elements (null for the template) whose file is not in the library or was not counted. The totals exclude them. */
  unknown: (number | null)[];
}

/** Bytes of GPU memory per splat: packed, and in the order of drawing. */
const SPLAT_BYTES = 36;
/** Memory factor for a texture's mipmaps. */
const MIPMAPS = 4 / 3;
/** Pixels of a full panorama tile cache. */
const TILE_CACHE_PIXELS = MAX_PANORAMA_TILES * PANORAMA_TILE ** 2;
/** Triangles of a panorama's sphere: 96 segments around, 48 from pole to pole. */
const PANORAMA_TRIANGLES = 96 * 48 * 2;

/** Pixels of a 360° video of unknown size: 4K. */
const VIDEO_PIXELS = 3840 * 2160;

/** Bytes that visitors load of a file. */
const loadedBytes = ({ bytes, optimized }: MediaFacts): number => optimized?.bytes ?? bytes;

const noCosts = (): Costs => ({
  triangles: 0,
  splats: 0,
  texture_bytes: 0,
  draw_calls: 0,
  download_bytes: 0,
  dom_elements: 0,
});

const countOf = (details: MediaFacts['details'], name: string): number | undefined => {
  const value = details[name];
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
};

/** Adds up one room: each file once, each draw every time. */
class Counter {
  readonly #media: ReadonlyMap<number, MediaFacts>;
  readonly #counted = new Set<number>();
  readonly unknown = new Set<number | null>();
  /** Costs of the first element that uses each shared draw call, by key. */
  readonly shared = new Map<string, Costs>();

  constructor(media: ReadonlyMap<number, MediaFacts>) {
    this.#media = media;
  }

  /** Looks up a file's metadata and whether this is its first use. */
  #file(owner: number | null, id: number | null): { facts?: MediaFacts; isFirst: boolean } {
    const facts = id === null ? undefined : this.#media.get(id);
    if (!facts || id === null) {
      this.unknown.add(owner);
      return { isFirst: false };
    }
    const isFirst = !this.#counted.has(id);
    this.#counted.add(id);
    return { facts, isFirst };
  }

  /** A file that is downloaded but not drawn directly, such as a font or an environment map. */
  download(owner: number | null, id: number | null, costs: Costs): void {
    const { facts, isFirst } = this.#file(owner, id);
    if (facts && isFirst) costs.download_bytes += loadedBytes(facts);
  }

  picture(owner: number | null, id: number | null, costs: Costs, mipmaps = MIPMAPS): void {
    const { facts, isFirst } = this.#file(owner, id);
    if (!facts || !isFirst) return;
    costs.download_bytes += loadedBytes(facts);
    costs.texture_bytes += Math.round((facts.width ?? 0) * (facts.height ?? 0) * PIXEL_BYTES * mipmaps);
  }

  /** A wide panorama uses a 4096-pixel version plus the tiles in view. */
  panorama(id: number | null, costs: Costs): void {
    const { facts, isFirst } = this.#file(null, id);
    if (!facts || !isFirst) return;
    const { width = 0, height = 0, bytes } = facts;
    const pixels = (width ?? 0) * (height ?? 0);
    const whole = Math.min(pixels, WHOLE_PANORAMA_WIDTH ** 2 / 2);
    costs.download_bytes += bytes;
    costs.texture_bytes += Math.round(
      (whole + (pixels > whole ? Math.min(pixels, TILE_CACHE_PIXELS) : 0)) * PIXEL_BYTES,
    );
  }

  /** The frame of a 360° video; it is streamed. */
  panoramaVideo({ video_file_id, config }: NonNullable<Room['template']>, costs: Costs): void {
    if (!video_file_id && !config.video_url) return;
    const { width, height } = (video_file_id && this.#media.get(video_file_id)) || {};
    costs.texture_bytes += (width && height ? width * height : VIDEO_PIXELS) * PIXEL_BYTES;
    costs.draw_calls += 1;
  }

  /**
   * Counts a model in full: distant ones may be drawn in a coarser level of detail, but a visitor may approach any of
   * them.
   * @param isPart whether the element draws only part of the file: together the parts draw the file once
   */
  model(owner: number | null, id: number | null, costs: Costs, isPart = false): void {
    const { facts, isFirst } = this.#file(owner, id);
    if (!facts) return;
    const splats = countOf(facts.details, 'splats');
    if (splats !== undefined) {
      costs.splats += splats;
      costs.texture_bytes += splats * SPLAT_BYTES;
      // All splats of a room are drawn together.
      costs.draw_calls += 1;
      if (isFirst) costs.download_bytes += facts.bytes;
      return;
    }
    const pixels = countOf(facts.details, 'texture_pixels');
    const triangles = countOf(facts.details, 'triangles');
    if (pixels === undefined || triangles === undefined) this.unknown.add(owner);
    if (isFirst || !isPart) {
      costs.triangles += triangles ?? 0;
      costs.draw_calls += countOf(facts.details, 'draw_calls') ?? 1;
    }
    if (!isFirst) return;
    costs.download_bytes += loadedBytes(facts);
    costs.texture_bytes += facts.optimized?.gpu_bytes ?? Math.round((pixels ?? 0) * PIXEL_BYTES * MIPMAPS);
  }
}

/** A file referenced only by URL is not in the library. */
const hasFile = ({ file_id, config }: Element) => file_id !== null || ('file_url' in config && config.file_url !== '');

function elementCosts(element: Element, counter: Counter, template: Room['template']): Costs {
  const costs = noCosts();
  const { id, file_id } = element;
  const { cost, traits } = descriptorOf(element);
  if (traits.hit === 'page') costs.dom_elements = 1;
  const sheet: CostSheet = {
    add: (more) => {
      for (const measure of MEASURES) costs[measure] += more[measure] ?? 0;
    },
    shared: (key) => counter.shared.has(key) || counter.shared.set(key, costs),
    picture: () => hasFile(element) && counter.picture(id, file_id, costs),
    model: (isPart) => hasFile(element) && counter.model(id, file_id, costs, isPart),
    download: () => hasFile(element) && counter.download(id, file_id, costs),
    unknown: () => counter.unknown.add(id),
  };
  cost?.(element, sheet, template);
  return costs;
}

function templateCosts({ template, config }: Room, counter: Counter): Costs {
  const costs = noCosts();
  const type = template?.file_id ? template.model_type : 'grid';
  if (template && type === 'model') counter.model(null, template.file_id, costs);
  else if (template && type === 'pano') {
    counter.panorama(template.file_id, costs);
    costs.triangles += PANORAMA_TRIANGLES;
    costs.draw_calls += 1;
    counter.panoramaVideo(template, costs);
  } else {
    costs.triangles += BOX_TRIANGLES;
    // Six walls and their grid lines.
    costs.draw_calls += 7;
  }
  if (template?.background_file_id) counter.picture(null, template.background_file_id, costs);
  for (const id of [template?.hdr_file_id, template?.font_file_id, template?.logo_file_id])
    if (id) counter.download(null, id, costs);
  if (config.realtime && config.realtime_file_id) counter.model(null, config.realtime_file_id, costs);
  return costs;
}

/** The largest share of a phone's budget over all measures. */
const weightOf = (costs: Costs): number =>
  Math.max(...MEASURES.map((measure) => costs[measure] / BUDGETS.phone[measure]));

/** Limits the costs of images as the stage does: memory always, draw calls if there are many. */
function shareImages(images: readonly Costs[]): void {
  const limit = (measure: 'texture_bytes' | 'draw_calls', most: number) => {
    const share = most / images.reduce((sum, costs) => sum + costs[measure], 0);
    if (share < 1) for (const costs of images) costs[measure] = Number((costs[measure] * share).toPrecision(4));
  };
  limit('texture_bytes', IMAGE_LIMITS.bytes.desktop);
  if (images.length > IMAGE_LIMITS.single) limit('draw_calls', IMAGE_LIMITS.batches + IMAGE_LIMITS.near);
}

/**
 * Estimates a room's load on a visitor's device from the document and file metadata, without rendering.
 * Audio and video are streamed, so they don't count as downloads. An iframe counts as one DOM element, because its content
 * is unknown.
 * @param media file metadata by file id
 */
export function roomBudget(room: Room, media: ReadonlyMap<number, MediaFacts>): RoomBudget {
  const counter = new Counter(media);
  const shown = shownElements(room.elements);
  const template: ElementCosts = {
    id: null,
    name: 'Template',
    file_id: room.template?.file_id ?? null,
    costs: templateCosts(room, counter),
  };
  const rows = shown.map((element) => {
    const descriptor = descriptorOf(element);
    const name = element.name || descriptor.label;
    return {
      element,
      descriptor,
      entry: { id: element.id, name, file_id: element.file_id, costs: elementCosts(element, counter, room.template) },
    };
  });
  const list: ElementCosts[] = [template, ...rows.map(({ entry }) => entry)];
  // A type's shared draw calls count toward its first element.
  const types = new Set<string>();
  for (const { element, descriptor, entry } of rows) {
    if (!types.has(element.element)) entry.costs.draw_calls += descriptor.sharedDraws ?? 0;
    types.add(element.element);
  }
  shareImages(rows.filter(({ element }) => element.element === 'image').map(({ entry }) => entry.costs));
  for (const costs of counter.shared.values()) costs.draw_calls += 1;
  const casting = list.reduce((sum, { costs }) => sum + costs.draw_calls, 0);
  // Lights with shadows redraw every shadow caster.
  for (const { element, descriptor, entry } of rows)
    entry.costs.draw_calls += (descriptor.shadowSides?.(element) ?? 0) * casting;
  const totals = noCosts();
  for (const { costs } of list) for (const measure of MEASURES) totals[measure] += costs[measure];
  totals.draw_calls = Math.round(totals.draw_calls);
  const elements = list
    .filter(({ costs }) => weightOf(costs) > 0)
    .toSorted((one, other) => weightOf(other.costs) - weightOf(one.costs));
  return { totals, elements, unknown: [...counter.unknown] };
}

/** Ids of the files that a room's budget depends on: those of its elements, template and markers. */
export function budgetFiles(room: Room): number[] {
  const { template, config } = room;
  const ids: (number | null | undefined)[] = shownElements(room.elements).map(({ file_id }) => file_id);
  const files: readonly (keyof NonNullable<Room['template']>)[] = [
    'file_id',
    'video_file_id',
    'background_file_id',
    'hdr_file_id',
    'font_file_id',
    'logo_file_id',
  ];
  for (const name of files) ids.push(template?.[name] as FileReference['id'] | null | undefined);
  if (config.realtime) ids.push(config.realtime_file_id);
  return [...new Set(ids)].filter((id): id is number => typeof id === 'number');
}
