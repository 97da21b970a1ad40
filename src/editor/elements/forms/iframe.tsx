import { IconWorldWww } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useDraft } from '../../fields/contexts.ts';
import { Field } from '../../fields/Field.tsx';
import { FileField } from '../../fields/FileField.tsx';
import type { ElementForm } from '../parts/form.ts';
import { SettingsFields } from '../parts/SettingsFields.tsx';

const Content = observer(() => {
  const { file } = useDraft().element;
  return (
    <>
      <Field path="config.src" label="Source url" isReadOnly={file !== null} />
      <FileField
        label="Zipped page"
        description="A zip with index.html at its root."
        accept={['site']}
        also={(chosen) => (chosen ? { 'config.src': '' } : {})}
      />
    </>
  );
});

export const form: ElementForm = { icon: IconWorldWww, tabs: { Content, Settings: SettingsFields } };
