/**
 * three.js counts light physically: a white wall under an ambient or directional light of π is drawn white, and a point
 * light's effect falls with distance to the power of its decay. Documents count 1 as "lights fully": for lights with a
 * place, at this distance.
 */
export const USUAL_DISTANCE = 500;

/** Intensity in three.js of a light that comes from everywhere or from one direction. */
export const flatIntensity = (intensity: number): number => intensity * Math.PI;

/** Intensity in three.js of a light with a place. */
export const placedIntensity = (intensity: number, decay: number): number =>
  intensity * Math.PI * USUAL_DISTANCE ** decay;
