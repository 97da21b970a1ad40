import type { CubeFace, PanoramaSource, TourConfigs } from '../../../../../contract/entities.ts';
import { bestLevel, equirectangular, tiledCube, wholeCube } from './cubes.ts';
import {
  type Direction,
  type HotspotAction,
  type ImportedHotspot,
  LeftOut,
  quoted,
  type ReadTour,
  sceneOf,
  UnusablePlace,
} from './imported-tour.ts';
import { type KrpanoElement, KrpanoFiles } from './krpano-files.ts';
import { folderOf, pathOf } from './tour-paths.ts';
import { numberOf, SCREEN, textOf, verticalFov } from './values.ts';

/** Aspect ratio to which `MFOV` refers. */
const MFOV = 4 / 3;

const FACES: Readonly<Record<string, CubeFace>> = { front: 'f', right: 'r', back: 'b', left: 'l', up: 'u', down: 'd' };

const childrenOf = (element: KrpanoElement, name: string) => element.children.filter((child) => child.name === name);
const childOf = (element: KrpanoElement, name: string) => childrenOf(element, name).at(-1);

/** Whether an element is for the usual screen, and not for headsets or old devices. */
const isUsual = ({ attributes: { if: condition, devices } }: KrpanoElement) =>
  (condition === undefined || condition.trim().startsWith('!')) &&
  (devices === undefined || /all|desktop|html5|normal/i.test(devices));

/** Fills in the placeholders of an image's URL: face, level, row and column, each with leading zeros. */
function filled(
  url: string,
  { face, level, row, column }: { face: CubeFace; level: number; row: number; column: number },
) {
  const values: Readonly<Record<string, string | number>> = {
    s: face,
    l: level,
    v: row,
    y: row,
    r: row,
    h: column,
    x: column,
    c: column,
  };
  return url.replace(/%(0{0,5})([slvyrhxc])/g, (_, zeros: string, name: string) => {
    const value = String(values[name]);
    return name === 's' ? value : value.padStart(zeros.length + 1, '0');
  });
}

/** A tiled cube: URL with placeholders, and the sizes of its levels. */
function tiled(
  url: string,
  levels: readonly { size: number; tile: number; number: number }[],
  base: number,
  pathFor: (url: string) => string,
) {
  const level = bestLevel(levels);
  return tiledCube(level, (face, column, row) =>
    pathFor(filled(url, { face, level: level.number, row: row + base, column: column + base })),
  );
}

/** The levels in `multires`: the size of tiles, then the sizes of faces, each `size` or `size x size x tile`. */
function levelsOf(multires: string) {
  const [[tile = 0] = [], ...levels] = multires
    .slice(0, 1000)
    .split(',')
    .map((part) => part.split('x').map(numberOf));
  return levels.map(([size = 0, , own = tile], index) => ({ size, tile: own, number: index + 1 }));
}

/** A cube of one image per face, or with `%s` in its URL. */
function plainCube(image: KrpanoElement, pathFor: (url: string) => string): PanoramaSource | null {
  const cube = childOf(image, 'cube');
  if (cube) {
    const url = cube.attributes.url ?? '';
    if (!url.includes('%s')) throw new UnusablePlace('its cube map is one image; split it into six');
    return wholeCube(
      Object.fromEntries(
        Object.values(FACES).map((face) => [face, pathFor(filled(url, { face, level: 1, row: 1, column: 1 }))]),
      ),
    );
  }
  const sides = Object.entries(FACES).flatMap(([name, face]) => {
    const url = childOf(image, name)?.attributes.url;
    return url === undefined ? [] : [[face, pathFor(url)]];
  });
  return sides.length === 0 ? null : wholeCube(Object.fromEntries(sides));
}

/** A tiled cube of the older kind: a `level` element for each size. */
function leveledCube(image: KrpanoElement, base: number, pathFor: (url: string) => string): PanoramaSource | null {
  const levels = childrenOf(image, 'level').flatMap((level) => {
    const url = childOf(level, 'cube')?.attributes.url;
    const size = numberOf(level.attributes.tiledimagewidth) ?? 0;
    const tile = numberOf(level.attributes.tilesize) ?? numberOf(image.attributes.tilesize) ?? size;
    return url === undefined ? [] : [{ url, size, tile }];
  });
  if (levels.length === 0) return null;
  const numbered = levels.toSorted((a, b) => a.size - b.size).map((level, index) => ({ ...level, number: index + 1 }));
  const best = bestLevel(numbered);
  return tiled(numbered[best.number - 1]!.url, [best], base, pathFor);
}

function sourceOf(scene: KrpanoElement, key: string): PanoramaSource {
  const images = childrenOf(scene, 'image');
  const image = images.findLast(isUsual) ?? images.at(-1);
  if (!image) throw new UnusablePlace('it has no panorama');
  const pathFor = (url: string) =>
    pathOf(folderOf(image.file), url.replace(/%(?:CURRENTXML|FIRSTXML|HTMLPATH|XMLPATH)%\/?/gi, ''), key);
  const sphere = childOf(image, 'sphere');
  if (sphere) {
    if (sphere.attributes.multires) throw new UnusablePlace('its sphere has tiles; export a cube map or a whole image');
    if (sphere.attributes.stereo === 'true' || image.attributes.stereo === 'true')
      throw new UnusablePlace('its panorama is a stereo pair');
    const { hfov, vfov, voffset } = image.attributes;
    const across = numberOf(hfov) ?? 360;
    // Offsets count downwards.
    return equirectangular(
      pathFor(sphere.attributes.url ?? ''),
      across,
      numberOf(vfov) ?? 180,
      -(numberOf(voffset) ?? 0),
    );
  }
  const cube = childOf(image, 'cube');
  const base = numberOf(image.attributes.baseindex) ?? 1;
  if (cube?.attributes.multires)
    return tiled(cube.attributes.url ?? '', levelsOf(cube.attributes.multires), base, pathFor);
  const found = leveledCube(image, base, pathFor) ?? plainCube(image, pathFor);
  if (found) return found;
  const kind = image.children.find(({ name }) =>
    /^(?:cubestrip|cylinder|flat|fisheye|video|zoomify|equirect|mjpeg)$/.test(name),
  );
  throw new UnusablePlace(kind ? `its panorama is of the kind “${kind.name}”` : 'it has no panorama');
}

/** A view in krpano's angles: to the right, and downwards. */
const direction = (across: unknown, down: unknown): Direction => ({
  yaw: numberOf(across) ?? 0,
  pitch: -(numberOf(down) ?? 0),
});

/** Vertical field of view of a `view` element. */
function fovOf(attributes: Readonly<Record<string, string>>): number | null {
  const fov = numberOf(attributes.fov);
  if (fov === undefined || !(fov > 0 && fov < 179)) return null;
  switch ((attributes.fovtype ?? 'VFOV').toUpperCase()) {
    case 'HFOV':
      return verticalFov(fov, SCREEN);
    case 'MFOV':
      return verticalFov(fov, MFOV);
    default:
      return fov;
  }
}

/** Maximum characters of a script that is searched for a link. */
const MAX_SCRIPT = 4000;

/** The link in a script: only `loadscene` is read, nothing is run. */
function loadedScene(script: string): HotspotAction | null {
  const found = /\bloadscene\s*\(\s*['"]?([^,;()'"\s]{1,200})['"]?\s*(?:,([^,()]{0,500}))?(?:,([^,()]{0,200}))?/i.exec(
    script.slice(0, MAX_SCRIPT),
  );
  if (!found) return null;
  const [, to = '', variables = '', flags = ''] = found;
  if (/KEEPVIEW|KEEPALL/i.test(flags)) return { kind: 'place', to, arrival: 'keep' };
  const at = (name: string) => new RegExp(`view\\.${name}=([-+.\\d]{1,20})`, 'i').exec(variables)?.[1];
  const [across, down] = [at('hlookat'), at('vlookat')];
  const isSet = across !== undefined || down !== undefined;
  return { kind: 'place', to, arrival: isSet ? direction(across, down) : 'view' };
}

function linkOf(attributes: Readonly<Record<string, string>>): HotspotAction | null {
  const { linkedscene, linkedscene_lookat, onclick = '' } = attributes;
  if (!linkedscene) return loadedScene(onclick);
  const [across, down] = (linkedscene_lookat ?? '').split(',');
  return { kind: 'place', to: linkedscene, arrival: linkedscene_lookat ? direction(across, down) : 'view' };
}

/** Angles of a hotspot: its own, or the middle of a polygon. */
function placeOf(spot: KrpanoElement, attributes: Readonly<Record<string, string>>): Direction | null {
  const points = childrenOf(spot, 'point').map(({ attributes: point }) => direction(point.ath, point.atv));
  if (numberOf(attributes.ath) !== undefined) return direction(attributes.ath, attributes.atv);
  if (points.length === 0) return null;
  const [first] = points;
  // Relative to the first point, so that polygons across the seam have their middle inside.
  const yaws = points.map(({ yaw }) => ((((yaw - first!.yaw + 180) % 360) + 360) % 360) - 180);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return { yaw: first!.yaw + mean(yaws), pitch: mean(points.map(({ pitch }) => pitch)) };
}

type Styles = ReadonlyMap<string, Readonly<Record<string, string>>>;

const plain = (text: string) =>
  text
    .replace(/\[br\]|<br\s*\/?>/gi, ' ')
    .replace(/<[^<>]{0,200}>/g, '')
    .trim();

function hotspotsOf(scene: KrpanoElement, key: string, styles: Styles, leftOut: LeftOut): ImportedHotspot[] {
  return childrenOf(scene, 'hotspot').flatMap((spot, index): ImportedHotspot[] => {
    const given = spot.attributes;
    const inherited = (given.style ?? '').split('|').map((name) => styles.get(name.trim().toLowerCase()) ?? {});
    const attributes = Object.assign({}, ...inherited, given) as Record<string, string>;
    const where = `${sceneOf(key)}, hotspot ${given.name ? quoted(given.name) : index + 1}`;
    const at = placeOf(spot, attributes);
    if (!at) {
      leftOut.add(where, 'has no position; left out');
      return [];
    }
    const name = plain(attributes.tooltip ?? attributes.title ?? attributes.description ?? '');
    const link = linkOf(attributes);
    if (link) return [{ ...at, name, action: link }];
    const media = attributes.videourl
      ? 'opens a video'
      : attributes.type === 'text' || attributes.html
        ? 'shows a text field'
        : '';
    const text = plain(attributes.html ?? '');
    if (attributes.onclick) leftOut.add(where, `runs the script ${quoted(attributes.onclick.trim())}; not run`);
    if (name === '' && text === '') {
      leftOut.add(where, `${media || 'has neither a link to a scene nor a text'}; left out`);
      return [];
    }
    if (attributes.videourl) leftOut.add(where, 'opens a video; only its text is kept');
    return [{ ...at, name: name || text, action: { kind: 'none' } }];
  });
}

/** Elements that run scripts, listed by name. */
const SCRIPTS = new Set(['action', 'events', 'plugin']);
/** Elements of the viewer's own surface. */
const SURFACE = new Set([
  'layer',
  'style',
  'contextmenu',
  'textstyle',
  'data',
  'lensflareset',
  'lensflare',
  'cssstyles',
]);

/** Lists scripts and other elements without a counterpart. @param main path of the main file */
function listOthers(
  elements: readonly KrpanoElement[],
  where: (element: KrpanoElement) => string,
  main: string,
  leftOut: LeftOut,
): void {
  const counts = new Map<string, number>();
  for (const element of elements) {
    const { name, attributes, file } = element;
    const isOwn = file === main;
    const isScript = SCRIPTS.has(name) || (name === 'layer' && isOwn && attributes.onclick !== undefined);
    if (isScript && isOwn)
      leftOut.add(
        where(element),
        `${name} ${attributes.name ? quoted(attributes.name) : 'without a name'} is a script; not run`,
      );
    else if (isScript || SURFACE.has(name)) {
      if (name !== 'style') counts.set(`${file}|${name}`, (counts.get(`${file}|${name}`) ?? 0) + 1);
    }
  }
  for (const [kind, count] of counts) {
    const [file = '', name] = kind.split('|');
    leftOut.add(file, `${count} × ${name} ${count === 1 ? 'is' : 'are'} left out`);
  }
}

/** The scene that a start script loads. */
function firstScene(roots: readonly KrpanoElement[]): string | null {
  const scripts = roots.flatMap(({ attributes, children }) => [
    attributes.onstart ?? '',
    ...children
      .filter(({ name }) => name === 'action')
      .map(({ attributes: { autorun }, text }) => (autorun ? text : '')),
  ]);
  const found = scripts.map(loadedScene).find((action) => action?.kind === 'place');
  return found?.kind === 'place' ? found.to : null;
}

/**
 * Reads a tour of krpano. Scripts are listed and never run; only `loadscene` in a hotspot's `onclick` counts as a link.
 * Format: https://krpano.com/docu/xml/
 * @param configs the main file, and the files that it may include
 */
export function readKrpano(configs: TourConfigs): ReadTour {
  const leftOut = new LeftOut();
  const main = configs[0]!.path;
  const roots = new KrpanoFiles(configs, leftOut).read(main);
  const inner = (element: KrpanoElement): readonly KrpanoElement[] =>
    element.children.flatMap((child) => (child.name === 'krpano' ? inner(child) : [child]));
  const root = { ...roots[0]!, children: roots.flatMap(inner) };
  const styles: Styles = new Map(
    childrenOf(root, 'style').map(({ attributes }) => [(attributes.name ?? '').trim().toLowerCase(), attributes]),
  );
  const scenes = childrenOf(root, 'scene');
  const alone = { ...root, attributes: { name: root.attributes.title ?? 'panorama', ...root.attributes } };
  const places = (scenes.length > 0 ? scenes : [alone]).flatMap((scene, index): ReadTour['places'] => {
    const attributes: Readonly<Record<string, string>> = scene.attributes;
    const key = attributes.name || String(index);
    try {
      const source = sourceOf(scene, key);
      const image = childrenOf(scene, 'image').findLast(isUsual);
      if (image?.attributes.prealign && /[1-9]/.test(image.attributes.prealign))
        leftOut.add(
          sceneOf(key),
          `prealign ${quoted(image.attributes.prealign)} is left out; align and level the photo in the editor`,
        );
      if (scene !== alone) listOthers(scene.children, () => sceneOf(key), main, leftOut);
      if (attributes.onstart)
        leftOut.add(sceneOf(key), `runs the script ${quoted(attributes.onstart.trim())}; not run`);
      if (source.kind === 'part' && numberOf(image?.attributes.voffset))
        leftOut.add(sceneOf(key), 'its voffset counts as downwards; check the horizon');
      const view = childOf(scene, 'view')?.attributes ?? {};
      const [latitude, longitude, altitude] = [
        numberOf(attributes.lat),
        numberOf(attributes.lng),
        numberOf(attributes.alt),
      ];
      const isOnEarth = latitude !== undefined && longitude !== undefined && Math.abs(latitude) <= 90;
      return [
        {
          key,
          name: plain(attributes.title ?? '') || key,
          source,
          heading: numberOf(attributes.heading) ?? null,
          turn: 0,
          pitch: 0,
          roll: 0,
          yawFrom: 'heading',
          view: direction(view.hlookat, view.vlookat),
          fov: fovOf(view),
          arrivalView: 'set',
          gps: isOnEarth ? { latitude, longitude, ...(altitude !== undefined && { altitude }) } : null,
          hotspots: hotspotsOf(scene, key, styles, leftOut),
        },
      ];
    } catch (error) {
      if (!(error instanceof UnusablePlace)) throw error;
      leftOut.add(sceneOf(key), `${error.message}; left out`);
      return [];
    }
  });
  listOthers(root.children, ({ file }) => file, main, leftOut);
  return { format: 'krpano', title: textOf(root.attributes.title), start: firstScene(roots), places, leftOut };
}
