import type { Vector } from '../../../../engine/document/fields.ts';
import { directionOf } from '../../../../engine/document/places.ts';
import { hotspotElement } from '../../../../engine/document/tour-edits.ts';
import type { TourPlace } from '../../../contract/entities.ts';
import { spaceAround } from './positions.ts';

/** Distance from a place to the target of its first view, in units. */
const AHEAD = 1000;

/** Lets visitors look around and zoom. */
const LOOK_AROUND = { rotate: true, rotate_left_button: true, zoom: true } as const;

/** What a hotspot does: it leads to a place by its rank, opens a web page or a text, or only has a name. */
type DocumentAction =
  | { kind: 'place'; to: number; arrival: 'keep' | 'view' | { heading: number; pitch: number } }
  | { kind: 'url'; url: string }
  | { kind: 'text'; html: string }
  | { kind: 'none' };

/** A hotspot of a place. */
export interface DocumentHotspot {
  /** Its name; that of the target if empty. */
  name: string;
  /** Direction from the place, of any length. */
  way: Vector;
  action: DocumentAction;
}

/** A place with its first view, in degrees. */
export interface DocumentPlace extends Pick<TourPlace, 'file_id' | 'name' | 'heading' | 'pitch' | 'roll' | 'position'> {
  view: { heading: number; pitch: number };
  arrivalView: 'keep' | 'set';
  hotspots: readonly DocumentHotspot[];
  /** Further settings: texts of its photo, with their translations. */
  texts: Readonly<Record<string, unknown>>;
}

const round = (value: number) => Math.round(value * 10) / 10 + 0;
const placedAt = ({ x, y, z }: Vector) => ({ position_x: round(x), position_y: round(y), position_z: round(z) });

const ahead = ({ position: from, view }: DocumentPlace): Vector => {
  const { x, y, z } = directionOf(view.heading, view.pitch);
  return { x: round(from.x + x * AHEAD), y: round(from.y + y * AHEAD), z: round(from.z + z * AHEAD) };
};

/** Settings of a hotspot by what it does. */
function settingsOf({ name, action }: DocumentHotspot, idOf: (rank: number) => number): Record<string, unknown> {
  switch (action.kind) {
    case 'place': {
      const arrival = action.arrival === 'view' ? null : action.arrival;
      return { navigation: { type: 'view_point', type_config: { view_point_id: idOf(action.to), arrival } } };
    }
    case 'url':
      return { hotspot_icon: 'link', navigation: { type: 'url', type_config: { url: action.url } } };
    case 'text': {
      const type_config = { content: action.html, title: name };
      return { hotspot_icon: 'info', navigation: { type: 'modal_content', type_config } };
    }
    case 'none':
      return { hotspot_icon: 'info' };
  }
}

/** Settings of the tour as a whole. */
interface TourSettings {
  name: string;
  templateId: number;
  /** Rank of the place where visitors start. */
  start: number;
  /** Vertical field of view in degrees; null for the default. */
  fov: number | null;
}

/** The document of a tour, in the format of imports; element ids count from 1. */
export function tourDocument(
  { name, templateId, start, fov }: TourSettings,
  places: readonly DocumentPlace[],
): Record<string, unknown> {
  const idOf = (rank: number) => rank + 1;
  const viewPoints = places.map((place, rank) => ({
    id: idOf(rank),
    element: 'view_point',
    name: place.name,
    file_id: place.file_id,
    ...placedAt(place.position),
    config: {
      name: place.name,
      order_rank: rank,
      // Hotspots lead from place to place; a disc would float in the photo.
      pulse_radius: 0,
      target_position: ahead(place),
      arrival_view: place.arrivalView,
      panorama_heading: place.heading,
      panorama_pitch: place.pitch,
      panorama_roll: place.roll,
      ...place.texts,
    },
  }));
  let last = places.length;
  const hotspots = places.flatMap(({ position, hotspots }, rank) =>
    hotspots.map((hotspot) => {
      const { action, way } = hotspot;
      const title = hotspot.name || (action.kind === 'place' ? places[action.to]!.name : '');
      const name = action.kind === 'place' ? `To ${places[action.to]!.name}` : title || 'Hotspot';
      const config = { title, ...settingsOf(hotspot, idOf) };
      return hotspotElement(++last, { from: { id: idOf(rank), position }, name, way, config });
    }),
  );
  const first = places[start]!;
  const view = { position: first.position, angle: ahead(first), ...(fov !== null && { fov }) };
  const { far, ...size } = spaceAround(places.map(({ position }) => position));
  return {
    name,
    title: name,
    template_id: templateId,
    ...size,
    config: { camera: { ...LOOK_AROUND, ...view, far }, start_view_point_id: idOf(start) },
    elements: [...viewPoints, ...hotspots],
  };
}
