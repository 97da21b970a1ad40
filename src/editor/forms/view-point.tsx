import { Field, Fields } from '../edit-window/Field.tsx';
import type { ElementForm } from './form.ts';
import { NavigationTab } from './NavigationTab.tsx';
import { SettingsFields } from './SettingsFields.tsx';

function Content() {
  return (
    <>
      <Field path="config.name" label="Name in the menu" />
      <Fields
        paths={[
          'config.order_rank',
          'config.target_position',
          'config.pulse_radius',
          'config.pulse_duration',
          'config.pulse_offset',
        ]}
      />
      <Field path="config.damping_factor" step={0.01} />
    </>
  );
}

export const viewPointForm: ElementForm = { Content, Settings: SettingsFields, Navigation: NavigationTab };
