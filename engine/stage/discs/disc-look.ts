import { DoubleSide, MeshBasicMaterial } from 'three';

const BRASS = '#B7822F';
const PAPER = '#F7F6F2';

/** A view point's disc: radius of its core, of its rim and inside its wave, in radii of the whole. */
export const DISC = { core: 0.5, rim: 0.62, wave: 0.9 };

const pale = (opacity: number) =>
  new MeshBasicMaterial({
    color: PAPER,
    transparent: true,
    opacity,
    side: DoubleSide,
    // What is flat has no back that is seen through its front.
    forceSinglePass: true,
    depthWrite: false,
    toneMapped: false,
  });

export const coreMaterial = (): MeshBasicMaterial => pale(0.92);
export const rimMaterial = (): MeshBasicMaterial =>
  new MeshBasicMaterial({ color: BRASS, side: DoubleSide, toneMapped: false });
export const waveMaterial = pale;

/** A wave that does not move. */
export const STILL_WAVE = { scale: 1, opacity: 0.6 };

/**
 * A wave on its way: it grows and fades.
 * @param phase of the pulse, from 0 to below 1; null while the disc rests
 */
export const waveOf = (phase: number | null) =>
  phase === null ? STILL_WAVE : { scale: 0.6 + 0.6 * phase, opacity: 0.7 * (1 - phase) };
