import { IconEyeCheck } from '@tabler/icons-react';
import { Field } from '../../fields/Field.tsx';
import { NumericPanel } from '../../numeric-panel/NumericPanel.tsx';
import type { ElementForm } from '../parts/form.ts';
import { NavigationTab } from '../parts/NavigationTab.tsx';
import { SettingsFields } from '../parts/SettingsFields.tsx';
import { ViewPointOrder } from '../parts/ViewPointOrder.tsx';

function Content() {
  return (
    <>
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
