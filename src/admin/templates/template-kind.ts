import type { TemplateDraft } from './templates-store.ts';

/** How a camera lets visitors look around, and closer. */
export type Turning = Pick<TemplateDraft['config']['camera'], 'rotate' | 'rotate_left_button' | 'zoom'>;

const ON: Turning = { rotate: true, rotate_left_button: true, zoom: true };

/** Whether visitors who drag look around. */
export const canLookAround = ({ config }: TemplateDraft): boolean =>
  config.camera.rotate && config.camera.rotate_left_button;

/** The settings of a template with a camera that turns in another way. */
export const withTurning = ({ config }: TemplateDraft, turning = ON): Pick<TemplateDraft, 'config'> => ({
  config: { ...config, camera: { ...config.camera, ...turning } },
});

/**
 * What choosing a kind changes. A 360° photo begins to be looked around, and a kind that is chosen after all takes that
 * back; a person's own choice stays what it is.
 * @param before how the camera turned before a 360° photo changed it; null where that is not so
 * @param isOwn whether a person has chosen how it turns
 */
export function chooseKind(
  draft: TemplateDraft,
  model_type: TemplateDraft['model_type'],
  { before, isOwn }: { before: Turning | null; isOwn: boolean },
): { changes: Partial<TemplateDraft>; before: Turning | null } {
  const { rotate, rotate_left_button, zoom } = draft.config.camera;
  if (model_type === 'pano' && !isOwn && !canLookAround(draft))
    return { changes: { model_type, ...withTurning(draft) }, before: { rotate, rotate_left_button, zoom } };
  if (model_type !== 'pano' && before && !isOwn)
    return { changes: { model_type, ...withTurning(draft, before) }, before: null };
  return { changes: { model_type }, before };
}
