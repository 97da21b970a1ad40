import type { Element, ElementOf } from '../../document/element.ts';
import type { FeedLayout, Placement } from '../feeds/feed-layout.ts';
import type { FeedItem } from '../visitor-input.ts';
import type { SceneWorld } from '../world.ts';
import { fitWords } from './fit-words.ts';
import type { Arrangement } from './order.ts';

/** What the feed of a group holds. */
export interface Feed {
  items: readonly FeedItem[];
  layout: FeedLayout;
  elements: Element[];
}

/** Elements that are not in the document. Their ids are below 0. */
export interface TransientElements {
  /** Id of the next one. */
  nextId: number;
  /** Feeds by the id of their group. */
  readonly feeds: Map<number, Feed>;
  /** Markers of other visitors, at the top of the room. */
  readonly markers: Element[];
}

/** None yet. */
export function createTransientElements(): TransientElements {
  return { nextId: -1, feeds: new Map(), markers: [] };
}

/** Takes the next id of a transient element. */
export const takeId = (transient: TransientElements): number => transient.nextId--;

/** The transient elements under a group. */
export function transientElementsIn({ transient }: SceneWorld, group: Element): readonly Element[] | undefined {
  if (group.element !== 'group' || !group.config.feed_enabled) return undefined;
  return transient.feeds.get(group.id)?.elements;
}

const NO_CONFIG = {
  proximity_sensor: false,
  proximity_sensor_audio_only: false,
  proximity_sensor_distance: 0,
  timed: false,
  timed_max_out_of_sync: 0,
  realtime: false,
  realtime_file_url: '',
  realtime_scale: { x: 1, y: 1, z: 1 },
  realtime_rotate: { x: 0, y: 0, z: 0 },
};

const transientFields = (id: number, name: string) => ({
  id,
  name,
  parent_element_id: null,
  hidden: false,
  editable: false,
  file: null,
  file_id: null,
  depth: null,
  ignore_light: false,
  position_x: 0,
  position_y: 0,
  position_z: 0,
  rotation_x: 0,
  rotation_y: 0,
  rotation_z: 0,
  scale_x: 1,
  scale_y: 1,
  scale_z: 1,
  start_time: null,
  end_time: null,
  utc_offset: null,
  visible_between: null,
  children: [],
});

/** Space around the words of an item without a picture, in pixels. */
const WORDS_PADDING = 16;

interface Size {
  width: number;
  height: number;
}

/** The largest size of a picture's own ratio within a size; all of it where the ratio is not known. */
function sizeIn({ width, height }: FeedItem, within: Size): Size {
  if (!width || !height) return within;
  const scale = Math.min(within.width / width, within.height / height);
  return { width: width * scale, height: height * scale };
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => ESCAPES[sign]!);

/** An item of a feed in its group: a picture, or a page with its words where it has none. */
export function feedElement(
  id: number,
  group: number,
  item: FeedItem,
  size: Size,
  place: Placement,
): ElementOf<'image'> | ElementOf<'html'> {
  const { file_url, title = '', text = '', author = '', date = '' } = item;
  const common = {
    ...transientFields(id, title),
    ...sizeIn(item, size),
    parent_element_id: group,
    position_x: place.x,
    position_y: place.y,
    position_z: place.z,
    rotation_y: place.rotation_y,
  };
  const navigation = { type: 'slider', type_config: {} } as const;
  if (file_url === '') {
    const below = [author, date].filter(Boolean).join(', ');
    const words = [title, text].filter(Boolean).join(': ');
    const fitted = fitWords(words, below, common.width - 2 * WORDS_PADDING, common.height - 2 * WORDS_PADDING);
    const body = [fitted.text, below]
      .filter(Boolean)
      .map((line) => `<p style="font-size: ${fitted.size}px">${escaped(line)}</p>`)
      .join('');
    return { ...common, element: 'html', config: { ...NO_CONFIG, body, padding: WORDS_PADDING, navigation } };
  }
  const caption = { title, title_alignment: 'left', title_color: '#14171C', title_size: 24 } as const;
  return {
    ...common,
    element: 'image',
    config: { ...NO_CONFIG, ...caption, file_url, text, author, date, navigation },
  };
}

/** An empty group that stands where another visitor does. */
export function markerElement(id: number, ref: string): ElementOf<'group'> {
  return {
    ...transientFields(id, ref),
    width: 0,
    height: 0,
    element: 'group',
    config: { ...NO_CONFIG, feed_enabled: false, feed_id: null, feed_layout: 'zigzag', slider_enabled: false },
  };
}

/** Tells what came and what went. Markers have events of their own. */
export function announce(world: SceneWorld, { added, removed }: Arrangement): void {
  for (const id of removed) {
    if (!world.presence.byId.delete(id)) world.outbox.push({ type: 'element.removed', element_id: id });
  }
  for (const entity of added) {
    const { id } = world.elements[entity]!;
    if (!world.presence.byId.has(id)) world.outbox.push({ type: 'element.added', element_id: id });
  }
}
