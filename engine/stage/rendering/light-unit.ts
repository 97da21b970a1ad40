/**
 * Reference distance in units for light intensities. three.js uses physical units: a white wall under an ambient or
 * directional light of π is drawn white, and a point light decays with distance to the power of its decay. In
 * documents, 1 means full brightness: for positioned lights, at this distance.
 */
export const USUAL_DISTANCE = 500;

/** three.js intensity of an ambient or directional light. */
export const flatIntensity = (intensity: number): number => intensity * Math.PI;

/** three.js intensity of a positioned light. */
export const placedIntensity = (intensity: number, decay: number): number =>
  intensity * Math.PI * USUAL_DISTANCE ** decay;
