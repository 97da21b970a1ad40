import { z } from 'zod';
import { SNAP, type SnapSteps } from '../../../engine/machines/transform.ts';
import { storedText } from '../../ui/storage.ts';

const stepsSchema = z.object({
  translation: z.number().positive().max(10_000),
  rotation: z.number().positive().max(Math.PI),
});

const stored = storedText('enfilade.snap-steps');

/** The steps that this browser was last set to: units and radians. */
export function readSteps(): SnapSteps {
  try {
    return stepsSchema.parse(JSON.parse(stored.get() ?? ''));
  } catch {
    return { translation: SNAP.translation, rotation: SNAP.rotation };
  }
}

/** Keeps steps for the next room that is opened. */
export const keepSteps = (steps: SnapSteps): void => void stored.set(JSON.stringify(steps));
