import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../../../src/contract/errors.ts';
import { readTour } from '../../../../../../src/server/core/files/inspect/tours/read-tour.ts';

const json = (value: unknown, path = 'tour.json') => [
  { path, text: typeof value === 'string' ? value : JSON.stringify(value) },
];
const xml = (text: string, ...others: [path: string, text: string][]) => [
  { path: 'tour.xml', text },
  ...others.map(([path, text]) => ({ path, text })),
];

/** The message of a rejected tour. */
function problemOf(configs: Parameters<typeof readTour>[0]): string {
  try {
    readTour(configs);
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    return Object.values((error as ApiError).msg)
      .flat()
      .join(' ');
  }
  throw new Error('The tour was read.');
}

const scenes = (count: number) => ({
  scenes: Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, { panorama: `${index}.jpg` }])),
});

describe('a configuration that is rejected', () => {
  it.each<[what: string, configs: Parameters<typeof readTour>[0], reason: string]>([
    ['is no tour', json({ name: 'package' }), 'tour.json is not a tour that can be imported.'],
    ['is no JSON', json('{"scenes": {'), 'tour.json is not valid JSON'],
    ['is nested deeply', json(`${'['.repeat(200_000)}`), 'nested more than 100 levels deep'],
    ['has an unclosed element', xml('<krpano><scene></krpano>'), 'tour.xml is not valid XML'],
    [
      'has deep elements',
      xml(`<krpano>${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}</krpano>`),
      'nested more than 50 levels',
    ],
    [
      'declares entities that grow',
      xml('<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><krpano title="&b;"/>'),
      'has a document type',
    ],
    [
      'includes itself through another file',
      xml('<krpano><include url="skin/a.xml"/></krpano>', [
        'skin/a.xml',
        '<krpano><include url="../tour.xml"/></krpano>',
      ]),
      'skin/a.xml includes tour.xml, which includes it in turn',
    ],
    ['has 201 places', json(scenes(201)), 'A tour can have at most 200 places; this one has 201.'],
    ['has no place', json({ scenes: {} }), 'The tour has no place that can be imported.'],
    [
      'has a path out of its folder',
      json({ panorama: '../../etc/hall.jpg', title: 'Hall' }),
      'Scene “Hall”: “../../etc/hall.jpg” is outside the folder of the tour.',
    ],
    [
      'has an encoded path out of its folder',
      json({ panorama: '%2e%2e/hall.jpg', title: 'Hall' }),
      'is outside the folder of the tour.',
    ],
    [
      'runs code',
      json('var APP_DATA = {scenes: [], initialViewParameters: (function () { return 1; })()};', 'data.js'),
      'data.js is not valid JSON',
    ],
    [
      'runs code before its data',
      json('alert(1); var APP_DATA = {"scenes": [{"initialViewParameters": {}}]};', 'data.js'),
      'must contain only',
    ],
    [
      'has a scene twice',
      json([
        { id: 'a', panorama: 'a.jpg' },
        { id: 'a', panorama: 'b.jpg' },
      ]),
      'Scene “a” is there twice.',
    ],
    [
      'has too many tiles',
      json({
        type: 'multires',
        multiRes: { path: '/%l/%s%y_%x', tileResolution: 16, maxLevel: 1, cubeResolution: 4096 },
      }),
      'more than 1600 tiles',
    ],
  ])('because it %s', (_, configs, reason) => {
    expect(problemOf(configs)).toContain(reason);
  });
});

describe('a configuration that is read', () => {
  it('may be written by hand: comments, trailing commas and single quotes', () => {
    const text =
      "/* Mill */ 'use strict';\n// tour\nvar APP_DATA = { scenes: [{ id: 'a', name: 'Hall', levels: [{tileSize: 512, size: 512,},], initialViewParameters: {yaw: 0}, },], };";
    expect(readTour(json(text, 'data.js')).places).toMatchObject([{ key: 'a', name: 'Hall' }]);
  });

  it('names scenes whose images are elsewhere, or of an unsupported kind', () => {
    const { places, left_out } = readTour(
      json({
        scenes: {
          a: { panorama: 'a.jpg', hotSpots: [{ type: 'scene', sceneId: 'b', yaw: 0, pitch: 0 }] },
          b: { panorama: 'https://example.com/b.jpg' },
          c: { type: 'cubestrip' },
          d: { panorama: 'd.mp4', dynamic: true },
        },
      }),
    );
    expect(places.map(({ key }) => key)).toEqual(['a']);
    expect(left_out).toEqual([
      'Scene “b”: its panorama “https://example.com/b.jpg” is on the internet; download it first; left out',
      'Scene “c”: its type “cubestrip” is not supported; left out',
      'Scene “d”: its panorama is a video; left out',
      'Scene “a”: the link to “b” leads to a missing scene; left out',
    ]);
  });

  it('may link in circles, and to itself', () => {
    const spot = (sceneId: string) => ({ type: 'scene', sceneId, yaw: 0, pitch: 0, text: sceneId });
    const tour = readTour(
      json({
        scenes: {
          a: { panorama: 'a.jpg', hotSpots: [spot('b'), spot('a')] },
          b: { panorama: 'b.jpg', hotSpots: [spot('a')] },
        },
      }),
    );
    expect(tour.places.map(({ hotspots }) => hotspots.length)).toEqual([2, 1]);
  });

  it('covers a part of the sphere with haov, vaov and vOffset', () => {
    const { places } = readTour(json({ panorama: 'a.jpg', haov: 180, vaov: 90, vOffset: 20 }));
    expect(places[0]!.source).toEqual({
      kind: 'part',
      file: 'a.jpg',
      part: { left: 0.25, top: expect.closeTo(0.5 - 20 / 180 - 0.25), width: 0.5, height: 0.5 },
    });
  });

  it('chooses the largest level that fits', () => {
    const levels = [512, 1024, 2048, 4096, 8192].map((size) => ({ size, tileSize: 512 }));
    const { places } = readTour(
      json(`var APP_DATA = ${JSON.stringify({ scenes: [{ id: 'a', levels, initialViewParameters: {} }] })}`, 'data.js'),
    );
    expect(places[0]!.source).toMatchObject({ kind: 'cube', layout: { size: 4096, tile: 512 } });
  });

  it('reads the tile size of each level of krpano', () => {
    const { places } = readTour(
      xml(
        '<krpano><scene name="a"><image><cube url="%s/l%l/%v_%h.jpg" multires="512,512,1024x1024x256"/></image></scene></krpano>',
      ),
    );
    expect(places[0]!.source).toMatchObject({ kind: 'cube', layout: { size: 1024, tile: 256 } });
  });

  it('reads a script in linear time', () => {
    const onclick = `loadscene(${'a'.repeat(100_000)}${' '.repeat(100_000)}`;
    const tour = readTour(
      xml(
        `<krpano><scene name="a"><image><sphere url="a.jpg"/></image><hotspot ath="1" atv="1" onclick="${onclick}"/></scene></krpano>`,
      ),
    );
    expect(tour.left_out[0]).toMatch(/the link to “a+…” leads to a missing scene/);
  });
});
