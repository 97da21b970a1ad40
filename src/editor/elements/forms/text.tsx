import { IconLetterT } from '@tabler/icons-react';
import { Fields } from '../../fields/Field.tsx';
import { FileField } from '../../fields/FileField.tsx';
import type { ElementForm } from '../parts/form.ts';
import { NavigationTab } from '../parts/NavigationTab.tsx';
import { SettingsFields } from '../parts/SettingsFields.tsx';

function Content() {
  return (
    <>
      <Fields paths={['config.text', 'config.color']} />
      <FileField
        label="Font"
        description="Without one, the template's font or the built-in one is used."
        accept={['font']}
      />
    </>
  );
}

export const form: ElementForm = {
  icon: IconLetterT,
  tabs: { Content, Settings: SettingsFields, Navigation: NavigationTab },
};
