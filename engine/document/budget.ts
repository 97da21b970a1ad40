import { BOX_TRIANGLES, type CostSheet, type Costs, MEASURES, PIXEL_BYTES } from './costs.ts';
import { descriptorOf, type Element } from './element.ts';
import type { FileReference } from './fields.ts';
import { PANORAMA_TILE, PANORAMA_TILES_KEPT, WHOLE_PANORAMA } from './panorama.ts';
import type { Room } from './room.ts';
import { shownElements } from './tree.ts';

/** Devices that a room is measured for. */
export const DEVICES = ['phone', 'desktop'] as const;
export type Device = (typeof DEVICES)[number];

const MB = 1024 * 1024;

/**
 * How much a room may need before it is felt, for an ordinary phone of some years' age and for a computer without a
 * graphics card of its own. They are rules of thumb, not measured on each device: a room within them runs well, one
 * above them has to be tried.
 */
export const BUDGETS: Record<Device, Costs> = {
  phone: {
    /** About what guides for phones and for headsets without a computer, whose chips are the same, give as the most. */
    triangles: 500_000,
    /** What phones' browsers give a page for WebGL begins at about 256 MB; meshes, frames and the page take their part. */
    texture_bytes: 150 * MB,
    /** Guides for 3D pages on phones ask for 100 to 300; each call costs script and driver time before anything is drawn. */
    draw_calls: 200,
    /** Ten seconds at 9 Mbit/s, the slow connection that this project measures with. */
    download_bytes: 10 * MB,
    /** Each is a layer of its own that the browser keeps a picture of; a full screen's takes about 4 MB. */
    dom_elements: 20,
  },
  desktop: {
    /** Six times a phone's, for built-in graphics. */
    triangles: 3_000_000,
    /** Built-in graphics share the memory of the machine; an eighth of 8 GB leaves room for other pages. */
    texture_bytes: 1024 * MB,
    /** Five times a phone's: what limits it is the script of one core. */
    draw_calls: 1000,
    /** Ten seconds at 40 Mbit/s, a usual connection at home. */
    download_bytes: 50 * MB,
    /** Five times a phone's, by the memory for the layers. */
    dom_elements: 100,
  },
};

/** What is known of a media file, as the media library gives it. */
export interface MediaFacts {
  bytes: number;
  /** Sides in pixels, of pictures. */
  width?: number | null | undefined;
  height?: number | null | undefined;
  /** Of models: `triangles`, `draw_calls` and `texture_pixels`, as far as they were counted. */
  details: Readonly<Record<string, unknown>>;
}

/** What one element needs, or the template for null. Files that several use are counted with the first of them. */
export interface ElementCosts {
  /** Null for the template. */
  id: number | null;
  /** Its name; the label of its type where it has none. */
  name: string;
  costs: Costs;
}

/** What a room needs of a visitor's device and connection. */
export interface RoomBudget {
  totals: Costs;
  /** Everything that needs something, the heaviest first: by its largest part of a phone's budget. */
  elements: ElementCosts[];
  /** Elements, null for the template, whose file is not in the library or was not counted: the totals lack it. */
  unknown: (number | null)[];
}

/** What the smaller copies of a texture add to it. */
const MIPMAPS = 4 / 3;
/** Pixels of the tiles of a panorama that are kept at most. */
const TILES = PANORAMA_TILES_KEPT * PANORAMA_TILE ** 2;
/** Triangles of a panorama's sphere: 96 segments around, 48 from pole to pole. */
const PANORAMA = 96 * 48 * 2;

const nothing = (): Costs => ({ triangles: 0, texture_bytes: 0, draw_calls: 0, download_bytes: 0, dom_elements: 0 });

const amountOf = (details: MediaFacts['details'], name: string): number | undefined => {
  const value = details[name];
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
};

/** Counts one room: files once, drawings as often as they are there. */
class Counter {
  readonly #media: ReadonlyMap<number, MediaFacts>;
  readonly #counted = new Set<number>();
  readonly unknown = new Set<number | null>();

  constructor(media: ReadonlyMap<number, MediaFacts>) {
    this.#media = media;
  }

  /** What is known of a file, and whether it is met for the first time. */
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

  /** A file that is fetched and kept, and drawn by nobody directly: a font, an environment. */
  fetched(owner: number | null, id: number | null, costs: Costs): void {
    const { facts, isFirst } = this.#file(owner, id);
    if (facts && isFirst) costs.download_bytes += facts.bytes;
  }

  picture(owner: number | null, id: number | null, costs: Costs, mipmaps = MIPMAPS): void {
    const { facts, isFirst } = this.#file(owner, id);
    if (!facts || !isFirst) return;
    costs.download_bytes += facts.bytes;
    costs.texture_bytes += Math.round((facts.width ?? 0) * (facts.height ?? 0) * PIXEL_BYTES * mipmaps);
  }

  /** A wide panorama is drawn from one of 4096 pixels and the tiles that were looked at. */
  panorama(id: number | null, costs: Costs): void {
    const { facts, isFirst } = this.#file(null, id);
    if (!facts || !isFirst) return;
    const { width = 0, height = 0, bytes } = facts;
    const pixels = (width ?? 0) * (height ?? 0);
    const whole = Math.min(pixels, WHOLE_PANORAMA ** 2 / 2);
    costs.download_bytes += bytes;
    costs.texture_bytes += Math.round((whole + (pixels > whole ? Math.min(pixels, TILES) : 0)) * PIXEL_BYTES);
  }

  /** @param isPart whether one of the parts of the file is drawn: all of them together draw it once */
  model(owner: number | null, id: number | null, costs: Costs, isPart = false): void {
    const { facts, isFirst } = this.#file(owner, id);
    if (!facts) return;
    const pixels = amountOf(facts.details, 'texture_pixels');
    const triangles = amountOf(facts.details, 'triangles');
    if (pixels === undefined || triangles === undefined) this.unknown.add(owner);
    if (isFirst || !isPart) {
      costs.triangles += triangles ?? 0;
      costs.draw_calls += amountOf(facts.details, 'draw_calls') ?? 1;
    }
    if (!isFirst) return;
    costs.download_bytes += facts.bytes;
    costs.texture_bytes += Math.round((pixels ?? 0) * PIXEL_BYTES * MIPMAPS);
  }
}

/** A file that is named by its address only is not in the library. */
const hasFile = ({ file_id, config }: Element) => file_id !== null || ('file_url' in config && config.file_url !== '');

function elementCosts(element: Element, counter: Counter): Costs {
  const costs = nothing();
  const { id, file_id } = element;
  const { cost, traits } = descriptorOf(element);
  if (traits.hit === 'page') costs.dom_elements = 1;
  const sheet: CostSheet = {
    add: (more) => {
      for (const measure of MEASURES) costs[measure] += more[measure] ?? 0;
    },
    picture: () => hasFile(element) && counter.picture(id, file_id, costs),
    model: (isPart) => hasFile(element) && counter.model(id, file_id, costs, isPart),
    download: () => hasFile(element) && counter.fetched(id, file_id, costs),
    unknown: () => counter.unknown.add(id),
  };
  cost?.(element, sheet);
  return costs;
}

function templateCosts({ template, config }: Room, counter: Counter): Costs {
  const costs = nothing();
  const type = template?.file_id ? template.model_type : 'grid';
  if (template && type === 'model') counter.model(null, template.file_id, costs);
  else if (template && type === 'pano') {
    counter.panorama(template.file_id, costs);
    costs.triangles += PANORAMA;
    costs.draw_calls += 1;
  } else {
    costs.triangles += BOX_TRIANGLES;
    // Six walls and the lines on them.
    costs.draw_calls += 7;
  }
  if (template?.background_file_id) counter.picture(null, template.background_file_id, costs);
  for (const id of [template?.hdr_file_id, template?.font_file_id, template?.logo_file_id])
    if (id) counter.fetched(null, id, costs);
  if (config.realtime && config.realtime_file_id) counter.model(null, config.realtime_file_id, costs);
  return costs;
}

/** How much of a phone's budget is used by the measure of which most is used. */
const weightOf = (costs: Costs): number =>
  Math.max(...MEASURES.map((measure) => costs[measure] / BUDGETS.phone[measure]));

/**
 * What a room needs of a visitor's device: estimated from the document and from what is known of its files, without
 * drawing anything. Sounds and films are not counted as download, for they come while they play; pages in frames cannot
 * be looked into and count as one DOM element.
 * @param media facts about files by their id, as the media library gives them
 */
export function roomBudget(room: Room, media: ReadonlyMap<number, MediaFacts>): RoomBudget {
  const counter = new Counter(media);
  const shown = shownElements(room.elements);
  const template: ElementCosts = { id: null, name: 'Template', costs: templateCosts(room, counter) };
  const rows = shown.map((element) => {
    const descriptor = descriptorOf(element);
    const name = element.name || descriptor.label;
    return { element, descriptor, entry: { id: element.id, name, costs: elementCosts(element, counter) } };
  });
  const list: ElementCosts[] = [template, ...rows.map(({ entry }) => entry)];
  // What all elements of a type need together is counted with the first of them.
  const types = new Set<string>();
  for (const { element, descriptor, entry } of rows) {
    if (!types.has(element.element)) entry.costs.draw_calls += descriptor.sharedDraws ?? 0;
    types.add(element.element);
  }
  const casting = list.reduce((sum, { costs }) => sum + costs.draw_calls, 0);
  // Lights with shadows draw everything that casts them again.
  for (const { element, descriptor, entry } of rows)
    entry.costs.draw_calls += (descriptor.shadowSides?.(element) ?? 0) * casting;
  const totals = nothing();
  for (const { costs } of list) for (const measure of MEASURES) totals[measure] += costs[measure];
  const elements = list
    .filter(({ costs }) => weightOf(costs) > 0)
    .toSorted((one, other) => weightOf(other.costs) - weightOf(one.costs));
  return { totals, elements, unknown: [...counter.unknown] };
}

/** Files that a room's budget asks about: of its elements, its template and its markers. */
export function budgetFiles(room: Room): number[] {
  const { template, config } = room;
  const ids: (number | null | undefined)[] = shownElements(room.elements).map(({ file_id }) => file_id);
  const files: readonly (keyof NonNullable<Room['template']>)[] = [
    'file_id',
    'background_file_id',
    'hdr_file_id',
    'font_file_id',
    'logo_file_id',
  ];
  for (const name of files) ids.push(template?.[name] as FileReference['id'] | null | undefined);
  if (config.realtime) ids.push(config.realtime_file_id);
  return [...new Set(ids)].filter((id): id is number => typeof id === 'number');
}
