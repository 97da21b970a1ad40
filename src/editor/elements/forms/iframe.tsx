import { observer } from 'mobx-react-lite';
import { useDraft } from '../../fields/draft-context.ts';
import { Field } from '../../fields/Field.tsx';
import { FileField } from '../../fields/FileField.tsx';
import type { ElementForm } from './form.ts';
import { SettingsFields } from './SettingsFields.tsx';

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

export const iframeForm: ElementForm = { Content, Settings: SettingsFields };
