import type { Element, ElementOf } from '../../document/element.ts';
import type { Room } from '../../document/room.ts';
import type { Placement } from '../feeds/feed-layout.ts';
import type { FeedItem } from '../visitor-input.ts';
import type { SceneWorld, TransientElements } from '../world.ts';

/** Font sizes for fitting text, in units, largest first. */
const FONT_SIZES = [24, 20, 18, 16, 14] as const;
/** Line height, and average character width including space lost to wrapping, both relative to the font size. */
const LINE_HEIGHT = 1.5;
const CHARACTER_WIDTH = 0.6;

/** Text fitted into a box: font size in units, and the text, truncated if necessary. */
interface FittedWords {
  size: number;
  text: string;
}

/**
 * Finds the largest font size at which a text and a line below it fit; at the smallest size the text is truncated.
 * @param below line below the text, separated by one font size
 * @param width available line width in units
 * @param height available height in units
 */
export function fitWords(text: string, below: string, width: number, height: number): FittedWords {
  let room = 0;
  for (const size of FONT_SIZES) {
    const perLine = Math.max(1, Math.floor(width / (CHARACTER_WIDTH * size)));
    const linesBelow = Math.ceil(below.length / perLine);
    const gap = linesBelow > 0 ? size : 0;
    const lines = Math.floor((height - gap) / (LINE_HEIGHT * size)) - linesBelow;
    room = Math.max(1, lines) * perLine;
    if (text.length <= room) return { size, text };
  }
  return {
    size: FONT_SIZES.at(-1)!,
    text: `${text
      .slice(0, room - 1)
      .trimEnd()
      .toWellFormed()}…`,
  };
}

/** Allocates the id of a transient element. */
export const takeId = (transient: TransientElements): number => transient.nextId--;

/** The transient elements in a group. */
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
  time_zone: null,
  visible_at: [],
  visible_between: null,
  index: '',
});

/**
 * The 360° video of the template as an element: it plays in a loop once the visitor has entered, and by room time in a
 * timed sequence.
 * @returns the same array until the template changes; empty without a video
 */
export function panoramaVideo({ room, transient }: SceneWorld): readonly Element[] {
  // Rooms are also played without validation.
  const { template, config } = room as Partial<Room>;
  const timed = typeof config?.duration === 'number';
  const of = [template, timed];
  if (of.every((part, index) => part === transient.video.of[index])) return transient.video.elements;
  const file = template?.video_file ?? null;
  const { video_url: direct_url = '', video_stereo: stereo = 'auto' } = template?.config ?? {};
  // Without settings of flat videos, models and subtitles.
  const settings: Partial<ElementOf<'native_video'>['config']> = {
    ...{ ...NO_CONFIG, timed, direct_url, projection: 'equirectangular', stereo },
    ...{ autoplay: true, loop: true, text_tracks: [] },
  };
  const elements: Element[] = [];
  if (template?.model_type === 'pano' && (file || direct_url))
    elements.push({
      ...transientFields(takeId(transient), template.name),
      ...{ element: 'native_video', width: null, height: null, file, file_id: null },
      config: settings as ElementOf<'native_video'>['config'],
    });
  transient.video = { of, elements };
  return elements;
}

/** Padding around the text of a feed item without an image, in pixels. */
const WORDS_PADDING = 16;

interface Size {
  width: number;
  height: number;
}

/** The largest size within a box that keeps the image's aspect ratio; the whole box if the ratio is unknown. */
function sizeIn({ width, height }: FeedItem, within: Size): Size {
  if (!width || !height) return within;
  const scale = Math.min(within.width / width, within.height / height);
  return { width: width * scale, height: height * scale };
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => ESCAPES[sign]!);

type ImageConfig = ElementOf<'image'>['config'];

/** A feed item as an element of its group: an image, or an HTML element for text-only items. */
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
  const caption = {
    title,
    title_alignment: 'left',
    title_color: '#14171C',
    title_size: 24,
    caption_style: 'plain',
    caption_side: 'beside',
    caption_width: null,
    // Template frames are for works.
    frame_width: 0,
    contact_shadow: 0,
    zoomable: true,
  } as const;
  return {
    ...common,
    element: 'image',
    // Without the settings of nadir patches and plans, like images in rooms of earlier versions.
    config: {
      ...NO_CONFIG,
      ...caption,
      alt: '',
      decorative: false,
      file_url,
      text,
      author,
      date,
      navigation,
    } as ImageConfig,
  };
}

/** An empty group at another visitor's position. */
export function markerElement(id: number, ref: string): ElementOf<'group'> {
  return {
    ...transientFields(id, ref),
    width: 0,
    height: 0,
    element: 'group',
    config: {
      ...NO_CONFIG,
      ...{ feed_enabled: false, feed_id: null, feed_layout: 'zigzag', slider_enabled: false },
      ...{ block_id: null, block_version: null, block_elements: null },
    },
  };
}

/** Emits events for added and removed elements. Markers have their own events. */
export function announce(world: SceneWorld, { added, removed }: { added: number[]; removed: number[] }): void {
  for (const id of removed) {
    if (!world.presence.byId.delete(id)) world.outbox.push({ type: 'element.removed', element_id: id });
  }
  for (const entity of added) {
    const { id } = world.elements[entity]!;
    if (!world.presence.byId.has(id)) world.outbox.push({ type: 'element.added', element_id: id });
  }
}
