import { IconHandClick } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useDraft } from '../../fields/contexts.ts';
import { Field, Fields } from '../../fields/Field.tsx';
import type { ElementForm } from '../parts/form.ts';
import { NavigationTab } from '../parts/NavigationTab.tsx';
import { SettingsFields } from '../parts/SettingsFields.tsx';

const PANEL_FIELDS = [
  'config.sub_title',
  'config.font_size',
  'config.sub_title_font_size',
  'config.rounded_corners',
] as const;

const Content = observer(() => {
  const draft = useDraft();
  const isHotspot = draft.get('config.appearance') === 'hotspot';
  const isArrow = draft.get('config.hotspot_shape') === 'arrow';
  return (
    <>
      <Field path="config.title" />
      <Field path="config.appearance" />
      {isHotspot ? (
        <>
          <Field
            path="config.hotspot_shape"
            names={{ mark: 'Mark', arrow: 'Arrow on the floor', ring: 'Ring on the floor' }}
          />
          {!isArrow && <Field path="config.hotspot_icon" />}
        </>
      ) : (
        <Fields paths={PANEL_FIELDS} />
      )}
    </>
  );
});

export const form: ElementForm = {
  icon: IconHandClick,
  tabs: { Content, Settings: SettingsFields, Navigation: NavigationTab },
};
