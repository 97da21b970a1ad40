import type { PanoramaSource } from '../../../../../contract/entities.ts';
import { bestLevel, equirectangular, tiledCube, wholeCube } from './cubes.ts';
import {
  type HotspotAction,
  type ImportedHotspot,
  LeftOut,
  quoted,
  type ReadTour,
  sceneOf,
  UnusablePlace,
} from './imported-tour.ts';
import { leveled } from './orientation.ts';
import { folderOf, pathOf } from './tour-paths.ts';
import { type Json, listOf, numberOf, recordOf, SCREEN, textOf, verticalFov } from './values.ts';

/** Whether a JSON file is a configuration of Pannellum. */
export const isPannellum = (json: Json): boolean =>
  'scenes' in json || 'panorama' in json || 'multiRes' in json || 'cubeMap' in json;

/** Faces in the order of `cubeMap`. */
const CUBE_ORDER = ['f', 'r', 'b', 'l', 'u', 'd'] as const;

const joined = (base: unknown, path: string) => (/^(?:[a-z]+:)?\/\//i.test(path) ? path : `${textOf(base)}${path}`);

/** Levels halve the size of the faces; the last one has full resolution. */
function multires(scene: Json, urlOf: (url: string) => string): PanoramaSource {
  const tiles = recordOf(scene.multiRes);
  const size = numberOf(tiles.cubeResolution) ?? 0;
  const tile = numberOf(tiles.tileResolution) ?? 0;
  const last = Math.min(20, Math.max(1, Math.round(numberOf(tiles.maxLevel) ?? 1)));
  if (textOf(tiles.missingTiles) !== '') throw new UnusablePlace('its cube map has gaps (missingTiles)');
  const level = bestLevel(
    Array.from({ length: last }, (_, index) => ({
      number: index + 1,
      tile,
      size: Math.floor(size / 2 ** (last - 1 - index)),
    })),
  );
  const extension = textOf(tiles.extension);
  const pattern = `${joined(tiles.basePath, textOf(tiles.path))}${extension && `.${extension}`}`;
  return tiledCube(level, (face, column, row) =>
    urlOf(
      pattern
        .replace('%s', face)
        .replace('%l0', String(level.number - 1))
        .replace('%l', String(level.number))
        .replace('%x', String(column))
        .replace('%y', String(row)),
    ),
  );
}

function sourceOf(scene: Json, urlOf: (url: string) => string): PanoramaSource {
  if (scene.dynamic === true) throw new UnusablePlace('its panorama is a video');
  switch (scene.type) {
    case 'multires':
      return multires(scene, urlOf);
    case 'cubemap': {
      const images = listOf(scene.cubeMap).slice(0, 6);
      const files = CUBE_ORDER.flatMap((face, index) => {
        const url = textOf(images[index]);
        return url === '' || url === 'null' ? [] : [[face, urlOf(url)]];
      });
      return wholeCube(Object.fromEntries(files));
    }
    case undefined:
    case 'equirectangular':
      return equirectangular(
        urlOf(textOf(scene.panorama)),
        numberOf(scene.haov) ?? 360,
        numberOf(scene.vaov) ?? 180,
        numberOf(scene.vOffset) ?? 0,
      );
    default:
      throw new UnusablePlace(`its type ${quoted(scene.type)} is not supported`);
  }
}

/** The heading of a scene's center, as far as the configuration has one. */
const northOf = (scene: Json | undefined) => numberOf(scene?.northOffset) ?? 0;

function linkOf(spot: Json, scene: Json, target: Json | undefined): HotspotAction {
  const to = textOf(spot.sceneId);
  const { targetYaw } = spot;
  const pitch = numberOf(spot.targetPitch);
  if (targetYaw === 'sameAzimuth' || (targetYaw === 'same' && northOf(scene) === northOf(target)))
    return { kind: 'place', to, arrival: 'keep' };
  const yaw = numberOf(targetYaw);
  if (yaw === undefined && pitch === undefined)
    return { kind: 'place', to, arrival: targetYaw === 'same' ? 'keep' : 'view' };
  const arrival = { yaw: yaw ?? numberOf(target?.yaw) ?? 0, pitch: pitch ?? numberOf(target?.pitch) ?? 0 };
  return { kind: 'place', to, arrival };
}

/** Properties that need scripts or files that a tour can't have. */
const SPOT_EXTRAS: Readonly<Record<string, string>> = {
  createTooltipFunc: 'has a tooltip made by a script',
  clickHandlerFunc: 'runs a script when it is pressed',
  video: 'shows a video',
  image: 'shows an image',
};

function hotspotsOf(key: string, scene: Json, scenes: ReadonlyMap<string, Json>, leftOut: LeftOut): ImportedHotspot[] {
  return listOf(scene.hotSpots).flatMap((value, index) => {
    const spot = recordOf(value);
    const where = `${sceneOf(key)}, hotspot ${index + 1}`;
    const [yaw, pitch] = [numberOf(spot.yaw), numberOf(spot.pitch)];
    for (const [name, what] of Object.entries(SPOT_EXTRAS))
      if (spot[name]) leftOut.add(where, `${what}; that is left out`);
    if (yaw === undefined || pitch === undefined) {
      leftOut.add(where, 'has no position; left out');
      return [];
    }
    const name = textOf(spot.text);
    if (spot.type === 'scene' || (spot.type !== 'info' && spot.sceneId)) {
      const target = scenes.get(textOf(spot.sceneId));
      if (spot.targetYaw === 'same' && northOf(scene) !== northOf(target))
        leftOut.add(where, 'keeps the angle in the image (targetYaw “same”); it keeps the compass direction instead');
      return [{ yaw, pitch, name, action: linkOf(spot, scene, target) }];
    }
    const url = textOf(spot.URL);
    if (name === '' && url === '') {
      leftOut.add(where, 'has neither text nor a link; left out');
      return [];
    }
    return [{ yaw, pitch, name, action: url === '' ? { kind: 'none' } : { kind: 'url', url } }];
  });
}

/** Settings of a tour that have no counterpart. */
const LEFT_SETTINGS: Readonly<Record<string, string>> = {
  author: 'The author',
  minPitch: 'The limits of the view (minPitch)',
  maxPitch: 'The limits of the view (maxPitch)',
  minYaw: 'The limits of the view (minYaw)',
  maxYaw: 'The limits of the view (maxYaw)',
};

/**
 * Reads a configuration of Pannellum: a scene, or a tour with `default` and `scenes`.
 * Format: https://pannellum.org/documentation/reference/
 */
export function readPannellum(json: Json, path: string): ReadTour {
  const leftOut = new LeftOut();
  const isTour = 'scenes' in json;
  const shared = recordOf(json.default);
  const scenes = new Map(
    isTour
      ? Object.entries(recordOf(json.scenes)).map(([key, scene]) => [key, { ...shared, ...recordOf(scene) }] as const)
      : [[textOf(json.title) || 'panorama', json]],
  );
  const places = [...scenes].flatMap(([key, scene]): ReadTour['places'] => {
    const urlOf = (url: string) => pathOf(folderOf(path), url && joined(scene.basePath, url), key);
    try {
      const source = sourceOf(scene, urlOf);
      for (const [name, what] of Object.entries(LEFT_SETTINGS))
        if (scene[name] !== undefined)
          leftOut.add(sceneOf(key), `${what} ${name === 'author' ? 'is' : 'are'} left out`);
      const [pitch, roll] = [numberOf(scene.horizonPitch), numberOf(scene.horizonRoll)];
      const level = leveled(pitch ?? 0, roll ?? 0);
      const isGiven = pitch !== undefined || roll !== undefined;
      return [
        {
          key,
          name: textOf(scene.title) || key,
          source,
          heading: numberOf(scene.northOffset) ?? null,
          turn: level.heading,
          pitch: isGiven ? level.pitch : null,
          roll: isGiven ? level.roll : null,
          yawFrom: 'heading',
          view: { yaw: numberOf(scene.yaw) ?? 0, pitch: numberOf(scene.pitch) ?? 0 },
          fov: verticalFov(numberOf(scene.hfov) ?? 100, SCREEN),
          arrivalView: 'set',
          gps: null,
          hotspots: hotspotsOf(key, scene, scenes, leftOut),
        },
      ];
    } catch (error) {
      if (!(error instanceof UnusablePlace)) throw error;
      leftOut.add(sceneOf(key), `${error.message}; left out`);
      return [];
    }
  });
  const start = textOf(shared.firstScene);
  return {
    format: 'pannellum',
    title: textOf(isTour ? shared.title : json.title),
    start: start || null,
    places,
    leftOut,
  };
}
