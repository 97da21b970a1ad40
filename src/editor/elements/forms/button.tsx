import { Fields } from '../../fields/Field.tsx';
import type { ElementForm } from './form.ts';
import { NavigationTab } from './NavigationTab.tsx';
import { SettingsFields } from './SettingsFields.tsx';

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

export const buttonForm: ElementForm = { Content, Settings: SettingsFields, Navigation: NavigationTab };
