import { observer } from 'mobx-react-lite';
import { byPath } from '../../../engine/document/field-paths.ts';
import { type Camera, CameraSwitches } from '../../ui/camera/CameraFields.tsx';
import { goToStart, startAsSeen } from '../canvas/camera-views.ts';
import { ViewButtons } from '../canvas/ViewButtons.tsx';
import { useDraft } from '../fields/contexts.ts';
import { NumericPanel } from '../numeric-panel/NumericPanel.tsx';
import { useEditor } from '../session/editor-context.ts';

/** Where visitors start, and how they may move. */
export const CameraTab = observer(() => {
  const draft = useDraft();
  const camera = draft.get('config.camera') as Camera;
  const { document } = useEditor();
  return (
    <>
      <ViewButtons
        onGo={() => goToStart(document)}
        onSet={() => {
          const fields = startAsSeen(document);
          if (fields) draft.set(byPath(fields));
        }}
      />
      <NumericPanel
        label="Camera"
        fields={[
          { path: 'config.camera.position', label: 'Position (units)' },
          { path: 'config.camera.rotation.x', label: 'Rotation: up and down (degrees)', unit: 'degrees', step: 5 },
          { path: 'config.camera.rotation.y', label: 'Rotation: left and right (degrees)', unit: 'degrees', step: 5 },
          { path: 'config.camera.near', label: 'Near (units)', step: 0.1 },
          { path: 'config.camera.far', label: 'Far (units)', step: 100 },
          { path: 'config.camera.fov', label: 'Field of view (degrees)' },
        ]}
      />
      <CameraSwitches
        camera={camera}
        onChange={(changes) => draft.set({ 'config.camera': { ...camera, ...changes } })}
      />
      {camera.manual_panning && (
        <NumericPanel
          label="Panning"
          fields={[
            { path: 'config.camera.min_pan', label: 'Lowest position (units)' },
            { path: 'config.camera.max_pan', label: 'Highest position (units)' },
          ]}
        />
      )}
    </>
  );
});
