import { Fields } from '../../fields/Field.tsx';
import { FileField } from '../../fields/FileField.tsx';
import type { ElementForm } from './form.ts';
import { NavigationTab } from './NavigationTab.tsx';
import { SettingsFields } from './SettingsFields.tsx';

function Content() {
  return (
    <>
      <FileField label="Picture" accept={['image']} />
      <Fields
        paths={[
          'config.title',
          'config.title_alignment',
          'config.title_color',
          'config.title_size',
          'config.text',
          'config.author',
          'config.date',
        ]}
      />
    </>
  );
}

export const imageForm: ElementForm = { Content, Settings: SettingsFields, Navigation: NavigationTab };
