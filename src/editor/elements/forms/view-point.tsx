import { IconEyeCheck } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import type { ElementOf } from '../../../../engine/document/element.ts';
import { byPath } from '../../../../engine/document/field-paths.ts';
import { goToViewPoint, viewPointAsSeen } from '../../canvas/camera-views.ts';
import { ViewButtons } from '../../canvas/ViewButtons.tsx';
import { useDraft } from '../../fields/contexts.ts';
import { Field } from '../../fields/Field.tsx';
import { NumericPanel } from '../../numeric-panel/NumericPanel.tsx';
import { useEditor } from '../../session/editor-context.ts';
import type { ElementForm } from '../parts/form.ts';
import { NavigationTab } from '../parts/NavigationTab.tsx';
import { SettingsFields } from '../parts/SettingsFields.tsx';
import { ViewPointOrder } from '../parts/ViewPointOrder.tsx';

const View = observer(() => {
  const draft = useDraft();
  const { document } = useEditor();
  const viewPoint = draft.element as ElementOf<'view_point'>;
  return (
    <ViewButtons
      onGo={() => goToViewPoint(document, viewPoint)}
      onSet={() => {
        const fields = viewPointAsSeen(document, viewPoint);
        if (fields) draft.set(byPath(fields));
      }}
    />
  );
});

function Content() {
  return (
    <>
      <View />
      <Field path="config.name" label="Name in the menu" />
      <ViewPointOrder />
      <NumericPanel
        label="Move"
        fields={[{ path: 'config.target_position' }, { path: 'config.damping_factor', step: 0.01 }]}
      />
      <NumericPanel
        label="Pulse"
        fields={[
          { path: 'config.pulse_radius' },
          { path: 'config.pulse_duration', step: 100 },
          { path: 'config.pulse_offset' },
        ]}
      />
    </>
  );
}

export const form: ElementForm = {
  icon: IconEyeCheck,
  tabs: { Content, Settings: SettingsFields, Navigation: NavigationTab },
};
