import type { Element } from '../../../engine/document/element.ts';
import { placePanorama } from '../../../engine/document/places.ts';
import type { Room } from '../../../engine/document/room.ts';
import { sourceOf } from '../../../engine/document/source.ts';
import { traitsOf } from '../../../engine/document/traits-of.ts';
import { textOfHtml } from '../core/html/sanitize-html.ts';
import type { CachedRoom } from '../features/rooms/room-cache.ts';

/** Maximum characters of HTML parsed for a room's description. */
const MAX_HTML_READ = 4000;

/** Facts about a room for the head of its page. */
export interface RoomFacts {
  /** The description without markup. */
  description: string;
  /** URL of an image that represents the room: its panorama or background, otherwise its first image. */
  picture: string | undefined;
  /** URL of the blurred image behind the entrance of rooms without a panorama. */
  poster: string | undefined;
  /** URL of the logo above the room, and color of the texts there. */
  logo: string | null;
  color: string | null;
  /** File of the panorama where visits start. */
  panorama: NonNullable<Room['template']>['file'];
}

const pictureOf = (element: Element): string =>
  traitsOf(element.element).reads === 'picture' ? sourceOf(element) : '';

function firstPicture(elements: readonly Element[]): string | undefined {
  for (const element of elements) {
    const picture = pictureOf(element);
    if (picture) return picture;
  }
  return undefined;
}

/** The largest image on a room's walls. */
function largestPicture(elements: readonly Element[]): string | undefined {
  let largest: { size: number; picture: string } | undefined;
  for (const element of elements) {
    const picture = pictureOf(element);
    const size = (element.width ?? 0) * (element.height ?? 0);
    if (picture && (!largest || size > largest.size)) largest = { size, picture };
  }
  return largest?.picture;
}

/** Cached as long as the room's document is. */
const known = new WeakMap<Room, RoomFacts>();

/** Facts about a room, computed once per version. */
export function roomFactsOf({ document }: CachedRoom): RoomFacts {
  const facts = known.get(document) ?? readFacts(document);
  known.set(document, facts);
  return facts;
}

function readFacts({ template, description, elements, config }: Room): RoomFacts {
  const start = config.start_view_point_id ?? 0;
  const panorama = placePanorama({ elements, template }, start)?.file ?? null;
  return {
    description: textOfHtml(description.slice(0, MAX_HTML_READ)),
    picture: panorama?.url ?? template?.background_file?.url ?? firstPicture(elements),
    poster: panorama ? undefined : (template?.background_file?.url ?? largestPicture(elements)),
    logo: template?.logo_file?.url ?? null,
    color: template?.font_color ?? null,
    panorama,
  };
}
