import { DoubleSide, MeshBasicMaterial } from 'three';

const BRASS = '#B7822F';
const PAPER = '#F7F6F2';

/** A view point's disc: outer radii of core and rim, and inner radius of the wave, relative to the disc's radius. */
export const DISC = { core: 0.5, rim: 0.62, wave: 0.9 };

const pale = (opacity: number) =>
  new MeshBasicMaterial({
    color: PAPER,
    transparent: true,
    opacity,
    side: DoubleSide,
    // A flat disc doesn't need a separate pass for its back faces.
    forceSinglePass: true,
    depthWrite: false,
    toneMapped: false,
  });

export const coreMaterial = (): MeshBasicMaterial => pale(0.92);
export const rimMaterial = (): MeshBasicMaterial =>
  new MeshBasicMaterial({ color: BRASS, side: DoubleSide, toneMapped: false });
export const waveMaterial = pale;

/** The wave at rest. */
export const STILL_WAVE = { scale: 1, opacity: 0.6 };

/**
 * Scale and opacity of the wave: it grows and fades.
 * @param phase of the pulse, 0 to 1 (exclusive); null at rest
 */
export const waveOf = (phase: number | null) =>
  phase === null ? STILL_WAVE : { scale: 0.6 + 0.6 * phase, opacity: 0.7 * (1 - phase) };
