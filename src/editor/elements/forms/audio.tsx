import { Fields } from '../../fields/Field.tsx';
import { FileField } from '../../fields/FileField.tsx';
import type { ElementForm } from './form.ts';
import { SettingsFields } from './SettingsFields.tsx';

function Content() {
  return (
    <>
      <FileField label="Sound" accept={['audio']} />
      <Fields paths={['config.muted', 'config.autoplay', 'config.loop', 'config.pause_others']} />
    </>
  );
}

export const audioForm: ElementForm = { Content, Settings: SettingsFields };
