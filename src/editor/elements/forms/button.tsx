import { IconHandClick } from '@tabler/icons-react';
import { Fields } from '../../fields/Field.tsx';
import type { ElementForm } from '../parts/form.ts';
import { NavigationTab } from '../parts/NavigationTab.tsx';
import { SettingsFields } from '../parts/SettingsFields.tsx';

function Content() {
  return (
    <Fields
      paths={[
        'config.title',
        'config.sub_title',
        'config.font_size',
        'config.sub_title_font_size',
        'config.rounded_corners',
      ]}
    />
  );
}

export const form: ElementForm = {
  icon: IconHandClick,
  tabs: { Content, Settings: SettingsFields, Navigation: NavigationTab },
};
