import { observer } from 'mobx-react-lite';
import { type Camera, CameraFields } from '../../ui/camera/CameraFields.tsx';
import { useDraft } from '../edit-window/draft-context.ts';

const PREFIX = 'config.camera.';

/** Where visitors start, and how they may move. */
export const CameraTab = observer(() => {
  const draft = useDraft();
  const camera = draft.get('config.camera') as Camera;
  const errors = Object.entries(draft.errors).filter(([path]) => path.startsWith(PREFIX));
  return (
    <CameraFields
      camera={camera}
      errors={Object.fromEntries(errors.map(([path, text]) => [path.slice(PREFIX.length), [text]]))}
      onChange={(changes) => draft.set({ 'config.camera': { ...camera, ...changes } })}
    />
  );
});
