import type { TourConfigs } from '../../../../../contract/entities.ts';
import { isKrpano, isMarzipano } from '../../../../../contract/tour-files.ts';
import { MAX_TOUR_PHOTOS } from '../../../../../contract/tour-limits.ts';
import { damaged, unusable } from '../inspection.ts';
import {
  type ImportedHotspot,
  type ImportedPlace,
  type ImportedTour,
  quoted,
  type ReadTour,
  sceneOf,
} from './imported-tour.ts';
import { readKrpano } from './krpano.ts';
import { readMarzipano } from './marzipano.ts';
import { isPannellum, readPannellum } from './pannellum.ts';
import { isPhotoSphereViewer, readPhotoSphereViewer } from './photo-sphere-viewer.ts';
import { readConfigJson, recordOf } from './values.ts';

/** Maximum hotspots of a tour. */
const MAX_HOTSPOTS = 3000;
/** Maximum characters of a place's or hotspot's name, and of a hotspot's text. */
const MAX_NAME = 200;
const MAX_HTML = 100_000;

const unknown = (path: string) =>
  unusable(
    `${path} is not a tour that can be imported. Use a configuration of Pannellum (JSON), Marzipano Tool (data.js), Photo Sphere Viewer (JSON) or krpano (XML).`,
  );

function readFormat(configs: TourConfigs): ReadTour {
  const { path, text } = configs[0]!;
  if (/\.xml$/i.test(path) || /^\s*</.test(text)) {
    if (!isKrpano(text)) throw unknown(path);
    return readKrpano(configs);
  }
  if (/\.js$/i.test(path)) {
    if (!isMarzipano(text)) throw unknown(path);
    return readMarzipano(text, path);
  }
  if (!/\.json$/i.test(path) && !/^\s*\{/.test(text)) throw unknown(path);
  const json = readConfigJson(text, path);
  if (isPhotoSphereViewer(json)) return readPhotoSphereViewer(json, path);
  if (isPannellum(recordOf(json))) return readPannellum(recordOf(json), path);
  throw unknown(path);
}

/** One line without markup. */
const lineOf = (text: string) =>
  text
    .toWellFormed()
    .replace(/<[^<>]{0,500}>/g, ' ')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME);

const turned = (degrees: number) => ((degrees % 360) + 360) % 360;
const upright = (degrees: number) => Math.min(90, Math.max(-90, degrees));
const direction = <T extends { yaw: number; pitch: number }>(value: T): T => ({
  ...value,
  yaw: turned(value.yaw),
  pitch: upright(value.pitch),
});

/** A hotspot with values in range. */
function cleanHotspot(hotspot: ImportedHotspot): ImportedHotspot {
  const { action } = hotspot;
  const name = lineOf(hotspot.name);
  if (action.kind === 'place' && typeof action.arrival === 'object')
    return { ...direction(hotspot), name, action: { ...action, arrival: direction(action.arrival) } };
  if (action.kind === 'text')
    return { ...direction(hotspot), name, action: { ...action, html: action.html.toWellFormed().slice(0, MAX_HTML) } };
  return { ...direction(hotspot), name };
}

/** Leaves out links to scenes that the tour doesn't have, and addresses that are no web links. */
function checkedHotspots(
  place: ImportedPlace,
  keyOf: (key: string) => string | undefined,
  tour: ReadTour,
): ImportedHotspot[] {
  return place.hotspots.map(cleanHotspot).flatMap((hotspot): ImportedHotspot[] => {
    const { action } = hotspot;
    if (action.kind === 'place') {
      const to = keyOf(action.to);
      if (to !== undefined) return [{ ...hotspot, action: { ...action, to } }];
      tour.leftOut.add(sceneOf(place.key), `the link to ${quoted(action.to)} leads to a missing scene; left out`);
      return [];
    }
    if (action.kind !== 'url' || /^https?:\/\/\S{1,1900}$/i.test(action.url)) return [hotspot];
    tour.leftOut.add(sceneOf(place.key), `the address ${quoted(action.url)} is not a web link; left out`);
    return hotspot.name === '' ? [] : [{ ...hotspot, action: { kind: 'none' } }];
  });
}

/** The scenes' keys, exactly or in another case, as krpano allows. */
function keysOf(places: readonly ImportedPlace[]): (key: string) => string | undefined {
  const exact = new Set(places.map(({ key }) => key));
  const folded = new Map(places.map(({ key }) => [key.toLowerCase(), key]));
  return (key) => (exact.has(key) ? key : folded.get(key.toLowerCase()));
}

/**
 * Reads the configuration of a tour that was made elsewhere. Nothing in it is run.
 * @param configs the main file first
 * @throws ApiError bad_file or wrong_type with the reason
 */
export function readTour(configs: TourConfigs): ImportedTour {
  const tour = readFormat(configs);
  const { format, places, leftOut } = tour;
  if (places.length === 0)
    throw damaged(`The tour has no place that can be imported. ${leftOut.lines.slice(0, 5).join('. ')}`.trim());
  if (places.length > MAX_TOUR_PHOTOS)
    throw damaged(`A tour can have at most ${MAX_TOUR_PHOTOS} places; this one has ${places.length}. Split it.`);
  const double = places.find(({ key }, index) => places.findIndex((place) => place.key === key) !== index);
  if (double) throw damaged(`${sceneOf(double.key)} is there twice.`);
  const keyOf = keysOf(places);
  const checked = places.map((place) => ({
    ...place,
    name: lineOf(place.name) || lineOf(place.key) || 'Place',
    view: direction(place.view),
    turn: turned(place.turn),
    heading: place.heading === null ? null : turned(place.heading),
    pitch: place.pitch === null ? null : upright(place.pitch),
    hotspots: checkedHotspots(place, keyOf, tour),
  }));
  const hotspots = checked.reduce((sum, place) => sum + place.hotspots.length, 0);
  if (hotspots > MAX_HOTSPOTS)
    throw damaged(`A tour can have at most ${MAX_HOTSPOTS} hotspots; this one has ${hotspots}. Split it.`);
  const given = tour.start === null ? undefined : keyOf(tour.start);
  if (tour.start !== null && given === undefined)
    leftOut.add('', `The start ${quoted(tour.start)} is missing; the tour starts at ${quoted(checked[0]!.name)}`);
  return {
    format,
    title: lineOf(tour.title),
    start: given ?? checked[0]!.key,
    places: checked,
    left_out: leftOut.lines,
  };
}
