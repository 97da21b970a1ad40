import type { CubeFace, PanoramaSource } from '../../../../../contract/entities.ts';
import { equirectangular, wholeCube } from './cubes.ts';
import {
  type Direction,
  type GpsPosition,
  type ImportedHotspot,
  LeftOut,
  type ReadTour,
  sceneOf,
  UnusablePlace,
} from './imported-tour.ts';
import { folderOf, pathOf } from './tour-paths.ts';
import { degreesOf, type Json, listOf, numberOf, recordOf, textOf } from './values.ts';

/** Faces by name, in the order of the arrays. */
const FACES: Readonly<Record<string, CubeFace>> = {
  left: 'l',
  front: 'f',
  right: 'r',
  back: 'b',
  top: 'u',
  bottom: 'd',
};

/** The settings of the virtual-tour plugin: the whole file, or a part of the viewer's configuration. */
function settingsOf(json: unknown): Json {
  if (Array.isArray(json)) return { nodes: json };
  const viewer = recordOf(json);
  const plugins = listOf(viewer.plugins).flatMap((plugin) => listOf(plugin));
  const found = [viewer, viewer['virtual-tour'], viewer.virtualTour, ...plugins]
    .map(recordOf)
    .find(({ nodes }) => Array.isArray(nodes));
  return { ...viewer, ...found };
}

const isNode = (value: unknown) => 'id' in recordOf(value) && 'panorama' in recordOf(value);

/** Whether a JSON file is a virtual tour: an array of nodes, or an object with one. */
export const isPhotoSphereViewer = (json: unknown): boolean => listOf(settingsOf(json).nodes).some(isNode);

/** An angle in radians, or with the unit `deg` or `rad`, as degrees; undefined without one. */
function angleOf(value: unknown): number | undefined {
  const { number, unit } =
    /^\s*(?<number>[-+]?[\d.]{1,20})\s*(?<unit>degs?|degrees?|rads?)\s*$/.exec(textOf(value))?.groups ?? {};
  if (number !== undefined) return unit!.startsWith('deg') ? numberOf(number) : degreesOf(numberOf(number) ?? 0);
  const radians = numberOf(value);
  return radians === undefined ? undefined : degreesOf(radians);
}

/** A position of angles, on the object itself or in `position`; null without one, such as for pixels. */
function directionOf(value: Json): Direction | null {
  const position = { ...value, ...recordOf(value.position) };
  const [yaw, pitch] = [angleOf(position.yaw), angleOf(position.pitch)];
  return yaw === undefined || pitch === undefined ? null : { yaw, pitch };
}

/** Longitude, latitude and altitude. */
function gpsOf(value: unknown): GpsPosition | null {
  const [longitude, latitude, altitude] = listOf(value).map(numberOf);
  if (longitude === undefined || latitude === undefined || Math.abs(latitude) > 90) return null;
  return { latitude, longitude, ...(altitude !== undefined && { altitude }) };
}

const RADIANS = Math.PI / 180;
const EARTH_RADIUS = 6_371_000;

/** The direction from one position to another, by the bearing of the great circle. */
function bearing(from: GpsPosition, to: GpsPosition): Direction {
  const [a, b, across] = [from.latitude, to.latitude, to.longitude - from.longitude].map(
    (angle) => angle * RADIANS,
  ) as [number, number, number];
  const yaw = Math.atan2(
    Math.sin(across) * Math.cos(b),
    Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(across),
  );
  const part = Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(across / 2) ** 2;
  const length = 2 * EARTH_RADIUS * Math.asin(Math.sqrt(part));
  const climb = (to.altitude ?? 0) - (from.altitude ?? 0);
  return { yaw: degreesOf(yaw), pitch: length > 0 ? degreesOf(Math.atan(climb / length)) : 0 };
}

function cubeOf(panorama: unknown, turned: boolean, urlOf: (url: unknown) => string): PanoramaSource {
  const names = Object.keys(FACES);
  const urls = Array.isArray(panorama) ? panorama.slice(0, 6) : names.map((name) => recordOf(panorama)[name]);
  const files = urls.flatMap((url, index) =>
    url === null || url === undefined ? [] : [[FACES[names[index]!], urlOf(url)]],
  );
  return wholeCube(Object.fromEntries(files), turned);
}

/** A partial sphere by `panoData`, in pixels. */
function partOf(file: string, data: Json): PanoramaSource {
  const number = (name: string) => numberOf(data[name]) ?? 0;
  const [width, height] = [number('fullWidth'), number('fullHeight') || number('fullWidth') / 2];
  const [across, down] = [number('croppedWidth'), number('croppedHeight')];
  if (!(width > 0 && across > 0 && down > 0)) return { kind: 'image', file };
  const part = {
    left: number('croppedX') / width,
    top: number('croppedY') / height,
    width: across / width,
    height: down / height,
  };
  if (part.width >= 1 && part.height >= 1) return { kind: 'image', file };
  const isInside =
    part.left >= 0 && part.top >= 0 && part.left + part.width <= 1 + 1e-6 && part.top + part.height <= 1 + 1e-6;
  if (!isInside) throw new UnusablePlace('its panoData are impossible');
  return { kind: 'part', file, part };
}

function sourceOf(node: Json, key: string, urlOf: (url: unknown) => string, leftOut: LeftOut): PanoramaSource {
  const { panorama } = node;
  const data = recordOf(node.panoData);
  // Top and bottom are turned unless the file says otherwise: https://photo-sphere-viewer.js.org/guide/adapters/cubemap.html
  if (Array.isArray(panorama)) return cubeOf(panorama, true, urlOf);
  if (typeof panorama === 'string') return partOf(urlOf(panorama), data);
  const image = recordOf(panorama);
  const turned = image.flipTopBottom !== true;
  if (image.type === 'separate') return cubeOf(image.paths, turned, urlOf);
  if (image.type === 'stripe' || image.type === 'net')
    throw new UnusablePlace(`its cube map is one image (${image.type}); split it into six`);
  if ('front' in image) return cubeOf(image, turned, urlOf);
  if (image.baseUrl !== undefined) {
    leftOut.add(
      sceneOf(key),
      'its tiles are named by a script, so its small base image is used; replace the photo later',
    );
    if (typeof image.baseUrl === 'string') return equirectangular(urlOf(image.baseUrl), 360, 180, 0);
    return cubeOf(image.baseUrl, turned, urlOf);
  }
  if (image.source !== undefined) throw new UnusablePlace('its panorama is a video');
  throw new UnusablePlace('its panorama is of an unknown kind');
}

/** Content of a marker that needs more than text and a link. */
const MARKER_KINDS = [
  'image',
  'imageLayer',
  'videoLayer',
  'elementLayer',
  'element',
  'square',
  'rect',
  'circle',
  'ellipse',
  'path',
  'polygon',
  'polygonPixels',
  'polyline',
  'polylinePixels',
  'customLayer',
];

function markersOf(node: Json, key: string, leftOut: LeftOut): ImportedHotspot[] {
  return listOf(node.markers).flatMap((value, index): ImportedHotspot[] => {
    const marker = recordOf(value);
    const where = `${sceneOf(key)}, marker ${index + 1}`;
    const from = gpsOf(node.gps);
    const gps = gpsOf(marker.gps);
    const at = directionOf(marker) ?? (from && gps ? bearing(from, gps) : null);
    const tooltip = marker.tooltip;
    const name =
      textOf(typeof tooltip === 'object' ? recordOf(tooltip).content : tooltip) || textOf(marker.listContent);
    const content = textOf(marker.content) || textOf(marker.html);
    const kind = MARKER_KINDS.find((name) => marker[name] !== undefined);
    if (!at) {
      leftOut.add(
        where,
        kind ? `is a ${kind} without a position in angles; left out` : 'has no position in angles; left out',
      );
      return [];
    }
    if (name === '' && content === '') {
      leftOut.add(where, kind ? `shows only a shape or file (${kind}); left out` : 'has no text; left out');
      return [];
    }
    if (kind) leftOut.add(where, `its ${kind} is left out; its text is kept`);
    return [{ ...at, name, action: content === '' ? { kind: 'none' } : { kind: 'text', html: content } }];
  });
}

function linksOf(
  node: Json,
  key: string,
  nodes: ReadonlyMap<string, Json>,
  isGps: boolean,
  leftOut: LeftOut,
): ImportedHotspot[] {
  return listOf(node.links).flatMap((value, index): ImportedHotspot[] => {
    const link = recordOf(value);
    const to = textOf(link.nodeId);
    const [from, target] = [gpsOf(node.gps), gpsOf(link.gps) ?? gpsOf(nodes.get(to)?.gps)];
    const way = from && target ? bearing(from, target) : null;
    const at = isGps ? (way ?? directionOf(link)) : (directionOf(link) ?? way);
    if (!at) {
      leftOut.add(`${sceneOf(key)}, link ${index + 1}`, 'has no position in angles; left out');
      return [];
    }
    const offset = recordOf(link.linkOffset);
    const yaw = at.yaw + (angleOf(offset.yaw) ?? 0);
    const pitch = at.pitch + (angleOf(offset.pitch) ?? 0);
    return [{ yaw, pitch, name: '', action: { kind: 'place', to, arrival: 'keep' } }];
  });
}

/**
 * Reads a tour of Photo Sphere Viewer's virtual-tour plugin.
 * Format: https://photo-sphere-viewer.js.org/plugins/virtual-tour.html
 */
export function readPhotoSphereViewer(json: unknown, path: string): ReadTour {
  const leftOut = new LeftOut();
  const settings = settingsOf(json);
  const all = listOf(settings.nodes).map((value, index) => {
    const node = recordOf(value);
    return [textOf(node.id) || `node ${index + 1}`, node] as const;
  });
  const nodes = new Map(all);
  const isGps = settings.positionMode === 'gps';
  const view = { yaw: angleOf(settings.defaultYaw) ?? 0, pitch: angleOf(settings.defaultPitch) ?? 0 };
  const places = all.flatMap(([key, node]): ReadTour['places'] => {
    try {
      const source = sourceOf(node, key, (url) => pathOf(folderOf(path), url, key), leftOut);
      const { pan, tilt, roll } = recordOf(node.sphereCorrection);
      const { poseHeading, posePitch, poseRoll } = recordOf(node.panoData);
      const [level, lean] = [angleOf(tilt), angleOf(roll)];
      for (const name of ['map', 'plan'] as const)
        if (node[name]) leftOut.add(sceneOf(key), `its position on the ${name} is left out`);
      return [
        {
          key,
          name: textOf(node.name) || textOf(node.caption) || key,
          source,
          heading: numberOf(poseHeading) ?? null,
          // Pan turns the sphere to the left, tilt downwards.
          turn: -(angleOf(pan) ?? 0),
          pitch: level === undefined ? (numberOf(posePitch) ?? null) : (numberOf(posePitch) ?? 0) - level,
          roll: lean === undefined && poseRoll === undefined ? null : (lean ?? 0) - (numberOf(poseRoll) ?? 0),
          yawFrom: 'north',
          view,
          fov: null,
          arrivalView: 'keep',
          gps: gpsOf(node.gps),
          hotspots: [...linksOf(node, key, nodes, isGps, leftOut), ...markersOf(node, key, leftOut)],
        },
      ];
    } catch (error) {
      if (!(error instanceof UnusablePlace)) throw error;
      leftOut.add(sceneOf(key), `${error.message}; left out`);
      return [];
    }
  });
  return {
    format: 'photo-sphere-viewer',
    title: textOf(settings.caption),
    start: textOf(settings.startNodeId) || null,
    places,
    leftOut,
  };
}
