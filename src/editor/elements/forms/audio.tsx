import { IconVolume } from '@tabler/icons-react';
import { Fields } from '../../fields/Field.tsx';
import { FileField } from '../../fields/FileField.tsx';
import type { ElementForm } from '../parts/form.ts';
import { SettingsFields } from '../parts/SettingsFields.tsx';

function Content() {
  return (
    <>
      <FileField label="Audio" accept={['audio']} describes />
      <Fields
        paths={['config.muted', 'config.autoplay', 'config.loop', 'config.pause_others', 'config.even_loudness']}
      />
    </>
  );
}

export const form: ElementForm = { icon: IconVolume, tabs: { Content, Settings: SettingsFields } };
