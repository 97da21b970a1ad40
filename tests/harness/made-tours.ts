import sharp from 'sharp';
import type { TourFiles } from '../../src/contract/tour-files.ts';

/**
 * A small building whose panoramas show directions as colors, as a tour of each supported viewer. Layouts and angles
 * follow the documentation of the viewers:
 * https://pannellum.org/documentation/reference/, https://www.marzipano.net/reference/,
 * https://photo-sphere-viewer.js.org/plugins/virtual-tour.html and https://krpano.com/docu/xml/.
 */

/** Right, up and back. */
export type Ray = readonly [x: number, y: number, z: number];

const RADIANS = Math.PI / 180;

/** Three places, in meters east and north. */
const ROOMS = {
  hall: { name: 'Hall', east: 0, north: 0 },
  kitchen: { name: 'Kitchen', east: 0, north: 6 },
  attic: { name: 'Attic', east: 4, north: 0 },
} as const;
export type RoomKey = keyof typeof ROOMS;
export const ROOM_KEYS = Object.keys(ROOMS) as RoomKey[];

/** Links of the building; the last one is one-way. */
const DOORS: readonly (readonly [RoomKey, RoomKey])[] = [
  ['hall', 'kitchen'],
  ['kitchen', 'hall'],
  ['hall', 'attic'],
];

/** Compass direction from a room to another, in degrees. */
export const bearing = (from: RoomKey, to: RoomKey): number =>
  (Math.atan2(ROOMS[to].east - ROOMS[from].east, ROOMS[to].north - ROOMS[from].north) / RADIANS + 360) % 360;

/** Degrees north and east of a room. */
const onEarth = (room: RoomKey) => ({
  latitude: 52 + ROOMS[room].north / 6_371_000 / RADIANS,
  longitude: 4.9 + ROOMS[room].east / (6_371_000 * Math.cos(52 * RADIANS)) / RADIANS,
});

/** Orientation of each image: the heading of its center. */
export const HEADINGS: Readonly<Record<RoomKey, number>> = { hall: 30, kitchen: 200, attic: 0 };

const rotateY = ([x, y, z]: Ray, degrees: number): Ray => {
  const [s, c] = [Math.sin(degrees * RADIANS), Math.cos(degrees * RADIANS)];
  return [x * c + z * s, y, z * c - x * s];
};
const rotateX = ([x, y, z]: Ray, degrees: number): Ray => {
  const [s, c] = [Math.sin(degrees * RADIANS), Math.cos(degrees * RADIANS)];
  return [x, y * c - z * s, z * c + y * s];
};
const rotateZ = ([x, y, z]: Ray, degrees: number): Ray => {
  const [s, c] = [Math.sin(degrees * RADIANS), Math.cos(degrees * RADIANS)];
  return [x * c - y * s, y * c + x * s, z];
};

/** A world direction as a color, and back. */
export const colorOf = (ray: Ray): number[] => {
  const length = Math.hypot(...ray);
  return ray.map((value) => Math.round(((value / length + 1) / 2) * 255));
};
export const rayOf = ([r = 0, g = 0, b = 0]: readonly number[]): Ray => [r / 127.5 - 1, g / 127.5 - 1, b / 127.5 - 1];

/** Angle between two directions in degrees. */
export const angleBetween = (a: readonly number[], b: readonly number[]): number => {
  const dot = a.reduce((sum, value, index) => sum + value * b[index]!, 0);
  return Math.acos(Math.min(1, dot / Math.hypot(...a) / Math.hypot(...b))) / RADIANS;
};

/** World direction of a direction in an image. */
type ToWorld = (ray: Ray) => Ray;
const turnedTo =
  (heading: number): ToWorld =>
  (ray) =>
    rotateY(ray, -heading);

async function drawn(width: number, height: number, rayAt: (x: number, y: number) => Ray): Promise<Buffer> {
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) pixels.set(colorOf(rayAt(x + 0.5, y + 0.5)), (y * width + x) * 3);
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

/** The direction of an azimuth and elevation in radians. */
export const sphereRay = (azimuth: number, elevation: number): Ray => [
  Math.sin(azimuth) * Math.cos(elevation),
  Math.sin(elevation),
  -Math.cos(azimuth) * Math.cos(elevation),
];

/** An equirectangular image; of a part of the sphere with angles in degrees. */
const equirectangular = (toWorld: ToWorld, { across = 360, down = 180, offset = 0, width = 128 } = {}) => {
  const height = Math.round((width * down) / across);
  return drawn(width, height, (x, y) => {
    const azimuth = (x / width - 0.5) * across * RADIANS;
    const elevation = ((0.5 - y / height) * down + offset) * RADIANS;
    return toWorld(sphereRay(azimuth, elevation));
  });
};

type Face = 'f' | 'r' | 'b' | 'l' | 'u' | 'd';
export const FACES: readonly Face[] = ['f', 'r', 'b', 'l', 'u', 'd'];

/** Direction at a place on a face, from -1 to 1, to the right and down. The front borders the up and down faces upright. */
export function faceRay(face: Face, u: number, v: number): Ray {
  switch (face) {
    case 'f':
      return [u, -v, -1];
    case 'r':
      return [1, -v, u];
    case 'b':
      return [-u, -v, 1];
    case 'l':
      return [-1, -v, -u];
    case 'u':
      return [u, 1, -v];
    case 'd':
      return [u, -1, v];
  }
}

/** A tile of a face, or the whole of it. */
const tile = (
  toWorld: ToWorld,
  face: Face,
  {
    size,
    left = 0,
    top = 0,
    width = size,
    height = size,
    turned = false,
  }: { size: number; left?: number; top?: number; width?: number; height?: number; turned?: boolean },
) =>
  drawn(width, height, (x, y) => {
    const [u, v] = [((left + x) / size) * 2 - 1, ((top + y) / size) * 2 - 1];
    return toWorld(turned ? faceRay(face, -u, -v) : faceRay(face, u, v));
  });

/** Files of a tour, by path. */
export type MadeTour = Record<string, Buffer | string>;

/** All tiles of a level. @param pathOf path of a tile by face, column and row */
async function tiles(
  toWorld: ToWorld,
  size: number,
  side: number,
  pathOf: (face: Face, column: number, row: number) => string,
): Promise<MadeTour> {
  const files: MadeTour = {};
  const count = Math.ceil(size / side);
  for (const face of FACES)
    for (let row = 0; row < count; row++)
      for (let column = 0; column < count; column++) {
        const [left, top] = [column * side, row * side];
        const within = { size, left, top, width: Math.min(side, size - left), height: Math.min(side, size - top) };
        files[pathOf(face, column, row)] = await tile(toWorld, face, within);
      }
  return files;
}

/** Horizon of the tilted photo in degrees. */
export const TILT = { pitch: 8, roll: -5 } as const;

/** How Pannellum shows an image with `horizonPitch` and `horizonRoll`: pitched, then rolled around the viewing axis. */
const leveled: ToWorld = (ray) => rotateZ(rotateX(ray, TILT.pitch), -TILT.roll);

/** Pannellum: an equirectangular image, a cube map, and tiles of two levels. */
export async function pannellumTour(): Promise<MadeTour> {
  const spot = (from: RoomKey, to: RoomKey, more: object = {}) => ({
    type: 'scene',
    sceneId: to,
    text: `To the ${to}`,
    yaw: ((bearing(from, to) - HEADINGS[from] + 540) % 360) - 180,
    pitch: -3,
    ...more,
  });
  const images: MadeTour = {
    'images/hall.png': await equirectangular((ray) => turnedTo(HEADINGS.hall)(leveled(ray))),
    ...(await tiles(turnedTo(HEADINGS.attic), 50, 25, (face, x, y) => `multires/2/${face}${y}_${x}.png`)),
    ...(await tiles(turnedTo(HEADINGS.attic), 25, 25, (face, x, y) => `multires/1/${face}${y}_${x}.png`)),
  };
  for (const [index, face] of FACES.entries())
    images[`images/kitchen/${index}.png`] = await tile(turnedTo(HEADINGS.kitchen), face, { size: 48 });
  const config = {
    default: { title: 'Mill', firstScene: 'kitchen', author: 'Kim', sceneFadeDuration: 1000 },
    scenes: {
      hall: {
        title: 'Hall',
        type: 'equirectangular',
        panorama: 'images/hall.png',
        northOffset: HEADINGS.hall,
        horizonPitch: TILT.pitch,
        horizonRoll: TILT.roll,
        yaw: 15,
        pitch: 5,
        hotSpots: [
          spot('hall', 'kitchen', { targetYaw: 'sameAzimuth' }),
          spot('hall', 'attic', { targetYaw: 40, targetPitch: -10 }),
          { type: 'info', yaw: 90, pitch: 10, text: 'The clock', URL: 'https://example.com/clock' },
          { type: 'info', yaw: 100, pitch: 10, text: 'A film', video: 'film.mp4' },
        ],
      },
      kitchen: {
        title: 'Kitchen',
        type: 'cubemap',
        basePath: 'images/kitchen/',
        cubeMap: FACES.map((_, index) => `${index}.png`),
        northOffset: HEADINGS.kitchen,
        yaw: -20,
        hfov: 100,
        hotSpots: [spot('kitchen', 'hall')],
      },
      attic: {
        title: 'Attic',
        type: 'multires',
        northOffset: HEADINGS.attic,
        multiRes: {
          basePath: 'multires',
          path: '/%l/%s%y_%x',
          extension: 'png',
          tileResolution: 25,
          maxLevel: 2,
          cubeResolution: 50,
        },
        hotSpots: [{ type: 'scene', sceneId: 'cellar', yaw: 0, pitch: 0, text: 'Down' }],
      },
    },
  };
  return { ...images, 'tour.json': JSON.stringify(config, null, 2) };
}

/** Marzipano Tool: tiles of two levels besides the preview. Angles are in radians, pitches downwards. */
export async function marzipanoTour(): Promise<MadeTour> {
  const files: MadeTour = {};
  for (const room of ROOM_KEYS) {
    const toWorld = turnedTo(0);
    Object.assign(
      files,
      await tiles(toWorld, 32, 32, (face, x, y) => `app-files/tiles/0-${room}/1/${face}/${y}/${x}.jpg`),
    );
    Object.assign(
      files,
      await tiles(toWorld, 64, 32, (face, x, y) => `app-files/tiles/0-${room}/2/${face}/${y}/${x}.jpg`),
    );
  }
  const data = {
    scenes: ROOM_KEYS.map((room) => ({
      id: `0-${room}`,
      name: ROOMS[room].name,
      levels: [
        { tileSize: 256, size: 256, fallbackOnly: true },
        { tileSize: 32, size: 32 },
        { tileSize: 32, size: 64 },
      ],
      faceSize: 64,
      initialViewParameters: { yaw: 45 * RADIANS, pitch: 10 * RADIANS, fov: 80 * RADIANS },
      linkHotspots: DOORS.filter(([from]) => from === room).map(([from, to]) => ({
        yaw: ((bearing(from, to) + 180) % 360) * RADIANS - Math.PI,
        pitch: 4 * RADIANS,
        rotation: 0,
        target: `0-${to}`,
      })),
      infoHotspots: room === 'hall' ? [{ yaw: 1, pitch: -0.2, title: 'The clock', text: 'Built in <b>1790</b>.' }] : [],
    })),
    name: 'Mill',
    settings: { mouseViewMode: 'drag', autorotateEnabled: true, fullscreenButton: false },
  };
  return { ...files, 'app-files/data.js': `var APP_DATA = ${JSON.stringify(data, null, 2)};\n` };
}

/** Correction of the sphere of Photo Sphere Viewer in degrees. */
export const CORRECTION = { pan: -30, tilt: 6, roll: 4 } as const;

/**
 * How Photo Sphere Viewer shows an image with `sphereCorrection`: in its axes (left, up, ahead), rotated by Euler angles
 * in the order YXZ.
 */
const corrected: ToWorld = ([x, y, z]) => {
  const own: Ray = [-x, y, -z];
  const turned = rotateY(rotateX(rotateZ(own, CORRECTION.roll), CORRECTION.tilt), CORRECTION.pan);
  return [-turned[0], turned[1], -turned[2]];
};

/** Photo Sphere Viewer: equirectangular images and a cube map, with positions on the earth. */
export async function photoSphereViewerTour(): Promise<MadeTour> {
  const names: Readonly<Record<Face, string>> = { f: 'front', r: 'right', b: 'back', l: 'left', u: 'top', d: 'bottom' };
  const files: MadeTour = {
    'hall.png': await equirectangular(corrected),
    'attic.png': await equirectangular(turnedTo(0)),
  };
  for (const face of FACES)
    files[`kitchen/${names[face]}.png`] = await tile(turnedTo(0), face, {
      size: 48,
      turned: face === 'u' || face === 'd',
    });
  const gps = (room: RoomKey) => [onEarth(room).longitude, onEarth(room).latitude];
  const nodes = [
    {
      id: 'hall',
      name: 'Hall',
      panorama: 'hall.png',
      sphereCorrection: { pan: `${CORRECTION.pan}deg`, tilt: `${CORRECTION.tilt}deg`, roll: `${CORRECTION.roll}deg` },
      gps: gps('hall'),
      links: [{ nodeId: 'kitchen' }, { nodeId: 'attic', position: { yaw: '90deg', pitch: '-5deg' } }],
      markers: [
        {
          id: 'clock',
          position: { yaw: 1, pitch: 0.1 },
          image: 'pin.png',
          tooltip: 'The clock',
          content: '<p>Built in 1790.</p>',
        },
        {
          id: 'area',
          polygon: [
            [0, 0],
            [1, 0],
            [1, 1],
          ],
        },
      ],
    },
    {
      id: 'kitchen',
      name: 'Kitchen',
      panorama: Object.fromEntries(FACES.map((face) => [names[face], `kitchen/${names[face]}.png`])),
      gps: gps('kitchen'),
      links: [{ nodeId: 'hall', position: { yaw: Math.PI, pitch: 0 } }],
    },
    { id: 'attic', name: 'Attic', panorama: 'attic.png', gps: gps('attic'), links: [] },
  ];
  const tour = {
    caption: 'Mill',
    nodes,
    startNodeId: 'kitchen',
    positionMode: 'manual',
    defaultYaw: '20deg',
    defaultPitch: 0.1,
  };
  return { ...files, 'tour.json': JSON.stringify(tour) };
}

/** krpano: a sphere, tiles of two levels, and a cube of six images; a skin in another file. Pitches count downwards. */
export async function krpanoTour(): Promise<MadeTour> {
  const across = (from: RoomKey, to: RoomKey) => ((bearing(from, to) - HEADINGS[from] + 540) % 360) - 180;
  const files: MadeTour = {
    'panos/hall.png': await equirectangular(turnedTo(HEADINGS.hall)),
    ...(await tiles(
      turnedTo(HEADINGS.kitchen),
      50,
      25,
      (face, h, v) => `panos/kitchen.tiles/${face}/l2/0${v + 1}/l2_${face}_0${v + 1}_0${h + 1}.png`,
    )),
    ...(await tiles(
      turnedTo(HEADINGS.kitchen),
      25,
      25,
      (face, h, v) => `panos/kitchen.tiles/${face}/l1/0${v + 1}/l1_${face}_0${v + 1}_0${h + 1}.png`,
    )),
  };
  for (const face of FACES) files[`panos/attic_${face}.png`] = await tile(turnedTo(HEADINGS.attic), face, { size: 48 });
  const scene = (room: RoomKey, content: string) => {
    const { latitude, longitude } = onEarth(room);
    return `<scene name="scene_${room}" title="${ROOMS[room].name}" onstart="" lat="${latitude}" lng="${longitude}" heading="${HEADINGS[room]}">${content}</scene>`;
  };
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<krpano version="1.22" title="Mill &amp; barn">
  <include url="skin/vtourskin.xml" />
  <action name="startup" autorun="onstart">loadscene(scene_kitchen, null, MERGE);</action>
  ${scene(
    'hall',
    `
    <view hlookat="15.0" vlookat="-5.0" fovtype="VFOV" fov="70" />
    <image><sphere url="panos/hall.png" /></image>
    <hotspot name="to_kitchen" style="skin_hotspotstyle" ath="${across('hall', 'kitchen')}" atv="4.0" linkedscene="scene_kitchen" linkedscene_lookat="40,10,90" />
    <hotspot name="to_attic" url="arrow.png" ath="${across('hall', 'attic')}" atv="4.0" onclick="if(layer[menu].visible, hidemenu()); loadscene(scene_attic, null, MERGE, BLEND(1));" />
    <hotspot name="clock" url="info.png" ath="100" atv="-10" tooltip="The clock" onclick="openinfo(clock);" />
  `,
  )}
  ${scene(
    'kitchen',
    `
    <view hlookat="-20" vlookat="0" fovtype="MFOV" fov="120" />
    <image if="!webvr.isenabled"><cube url="panos/kitchen.tiles/%s/l%l/%0v/l%l_%s_%0v_%0h.png" multires="25,25,50" /></image>
    <image if="webvr.isenabled"><cube url="panos/vr/%s.png" /></image>
    <hotspot name="to_hall" style="back" ath="${across('kitchen', 'hall')}" atv="4.0" />
  `,
  )}
  ${scene('attic', '<image><cube url="panos/attic_%s.png" /></image>')}
</krpano>`;
  const skin = `<krpano><style name="skin_hotspotstyle" url="vtourskin_hotspot.png" onclick="skin_hotspot_click();" />
<style name="back" url="back.png" onclick="loadscene(scene_hall, null, KEEPVIEW)" />
<action name="skin_hotspot_click"><![CDATA[ tween(scale, 1.2); ]]></action><layer name="skin_bar" type="container" /></krpano>`;
  return { ...files, 'tour.xml': xml, 'skin/vtourskin.xml': skin };
}

/** A made tour as the files of a folder. */
export const filesOfTour = (tour: MadeTour): TourFiles => ({
  paths: Object.keys(tour),
  read: async (paths) =>
    paths.map((path) => new Blob([typeof tour[path] === 'string' ? tour[path] : new Uint8Array(tour[path]!)])),
});
