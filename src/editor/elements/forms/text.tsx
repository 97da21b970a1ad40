import { Fields } from '../../fields/Field.tsx';
import { FileField } from '../../fields/FileField.tsx';
import type { ElementForm } from './form.ts';
import { NavigationTab } from './NavigationTab.tsx';
import { SettingsFields } from './SettingsFields.tsx';

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

export const textForm: ElementForm = { Content, Settings: SettingsFields, Navigation: NavigationTab };
