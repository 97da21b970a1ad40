/** Maximum photos of a new tour. */
export const MAX_TOUR_PHOTOS = 200;

/** Tour viewers whose configuration files can be imported. */
export const TOUR_FORMATS = ['pannellum', 'marzipano', 'photo-sphere-viewer', 'krpano'] as const;
export type TourFormat = (typeof TOUR_FORMATS)[number];

/** Names of the viewers. */
export const TOUR_FORMAT_NAMES: Readonly<Record<TourFormat, string>> = {
  pannellum: 'Pannellum',
  marzipano: 'Marzipano',
  'photo-sphere-viewer': 'Photo Sphere Viewer',
  krpano: 'krpano',
};

/** Maximum characters of all configuration files of a tour together. */
export const MAX_TOUR_CONFIG = 5_000_000;
/** Maximum number of configuration files: an XML file with its includes. */
export const MAX_TOUR_CONFIGS = 50;
/** Maximum tiles of a panorama. */
export const MAX_CUBE_TILES = 1600;

/**
 * Faces of a cube: front, right, back, left, up and down. The up face borders the front at its bottom, the down face at
 * its top.
 */
export const CUBE_FACES = ['f', 'r', 'b', 'l', 'u', 'd'] as const;
