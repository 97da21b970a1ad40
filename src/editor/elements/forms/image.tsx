import { IconPhoto } from '@tabler/icons-react';
import { Fields } from '../../fields/Field.tsx';
import { FileField } from '../../fields/FileField.tsx';
import type { ElementForm } from '../parts/form.ts';
import { NavigationTab } from '../parts/NavigationTab.tsx';
import { SettingsFields } from '../parts/SettingsFields.tsx';

function Content() {
  return (
    <>
      <FileField label="Image" accept={['image']} />
      <Fields
        paths={[
          'config.title',
          'config.title_alignment',
          'config.title_color',
          'config.title_size',
          'config.text',
          'config.author',
          'config.date',
          'config.caption_style',
          'config.caption_side',
          'config.caption_width',
        ]}
      />
    </>
  );
}

export const form: ElementForm = {
  icon: IconPhoto,
  tabs: { Content, Settings: SettingsFields, Navigation: NavigationTab },
};
