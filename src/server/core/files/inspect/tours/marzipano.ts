import type { PanoramaSource } from '../../../../../contract/entities.ts';
import { damaged } from '../inspection.ts';
import { bestLevel, tiledCube } from './cubes.ts';
import { type ImportedHotspot, LeftOut, type ReadTour, sceneOf, UnusablePlace } from './imported-tour.ts';
import { folderOf, pathOf } from './tour-paths.ts';
import { degreesOf, type Json, listOf, numberOf, readConfigJson, recordOf, textOf } from './values.ts';

/** What may precede the value: comments, directives, and an assignment to one name. */
const COMMENT = /^\s*(?:\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n|$)|(['"])use strict\1\s*;?)/;
const ASSIGNMENT = /^\s*(?:(?:var|let|const)\s+|window\s*\.\s*)?([A-Za-z_$][\w$]{0,60})\s*=(?!=)\s*/;

/**
 * The value that a script assigns to a variable. The script is read as data and never run: anything besides one literal
 * is an error.
 * @throws ApiError bad_file
 */
export function assignedValue(text: string, path: string): unknown {
  let rest = text.replace(/^\uFEFF/, '');
  for (let found = COMMENT.exec(rest); found; found = COMMENT.exec(rest)) rest = rest.slice(found[0].length);
  const assignment = ASSIGNMENT.exec(rest);
  if (!assignment)
    throw damaged(
      `${path} must contain only “var APP_DATA = { … };”, as Marzipano Tool exports it. Scripts are not run.`,
    );
  // JSON5 rejects whatever follows the value.
  return readConfigJson(rest.slice(assignment[0].length).trimEnd().replace(/;$/, ''), path);
}

function sourceOf(scene: Json, folder: string, key: string): PanoramaSource {
  const levels = listOf(scene.levels).flatMap((value, number) => {
    const { size, tileSize, fallbackOnly } = recordOf(value);
    // The preview takes the place of the first level.
    if (fallbackOnly === true) return [];
    return [{ size: numberOf(size) ?? 0, tile: numberOf(tileSize) ?? 0, number }];
  });
  const level = bestLevel(levels);
  return tiledCube(level, (face, column, row) =>
    pathOf(folder, `tiles/${encodeURI(key)}/${level.number}/${face}/${row}/${column}.jpg`, key),
  );
}

/** A direction in radians, downwards, as degrees upwards. */
const direction = (value: Json) => ({
  yaw: degreesOf(numberOf(value.yaw) ?? 0),
  pitch: -degreesOf(numberOf(value.pitch) ?? 0),
});

function hotspotsOf(key: string, scene: Json, leftOut: LeftOut): ImportedHotspot[] {
  const links = listOf(scene.linkHotspots).map((value): ImportedHotspot => {
    const spot = recordOf(value);
    return { ...direction(spot), name: '', action: { kind: 'place', to: textOf(spot.target), arrival: 'view' } };
  });
  const infos = listOf(scene.infoHotspots).flatMap((value, index): ImportedHotspot[] => {
    const spot = recordOf(value);
    const [title, html] = [textOf(spot.title), textOf(spot.text)];
    if (title === '' && html === '') {
      leftOut.add(`${sceneOf(key)}, info hotspot ${index + 1}`, 'has no text; left out');
      return [];
    }
    return [{ ...direction(spot), name: title, action: html === '' ? { kind: 'none' } : { kind: 'text', html } }];
  });
  const others = Object.keys(scene).filter((name) => /hotspot/i.test(name) && !/^(?:link|info)Hotspots$/.test(name));
  for (const name of others)
    if (listOf(scene[name]).length > 0) leftOut.add(sceneOf(key), `${name} are not supported; left out`);
  return [...links, ...infos];
}

/**
 * Reads `data.js` of Marzipano Tool. Tiles are in `tiles/<scene>/<level>/<face>/<row>/<column>.jpg`.
 * Format: https://www.marzipano.net/ (its sample tour)
 */
export function readMarzipano(text: string, path: string): ReadTour {
  const leftOut = new LeftOut();
  const json = recordOf(assignedValue(text, path));
  const places = listOf(json.scenes).flatMap((value, index): ReadTour['places'] => {
    const scene = recordOf(value);
    const key = textOf(scene.id) || `scene ${index + 1}`;
    const first = recordOf(scene.initialViewParameters);
    const fov = numberOf(first.fov);
    try {
      return [
        {
          key,
          name: textOf(scene.name) || key,
          source: sourceOf(scene, folderOf(path), key),
          heading: 0,
          turn: 0,
          pitch: 0,
          roll: 0,
          yawFrom: 'heading',
          view: direction(first),
          fov: fov === undefined ? null : degreesOf(fov),
          arrivalView: 'set',
          gps: null,
          hotspots: hotspotsOf(key, scene, leftOut),
        },
      ];
    } catch (error) {
      if (!(error instanceof UnusablePlace)) throw error;
      leftOut.add(sceneOf(key), `${error.message}; left out`);
      return [];
    }
  });
  if (recordOf(json.settings).autorotateEnabled === true) leftOut.add('', 'Autorotation is left out.');
  return { format: 'marzipano', title: textOf(json.name), start: null, places, leftOut };
}
