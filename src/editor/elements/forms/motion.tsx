import { observer } from 'mobx-react-lite';
import { useDraft } from '../../fields/draft-context.ts';
import { Field, Fields } from '../../fields/Field.tsx';
import { FileField } from '../../fields/FileField.tsx';
import type { ElementForm } from './form.ts';
import { SettingsFields } from './SettingsFields.tsx';

const Content = observer(() => {
  const { file } = useDraft().element;
  return (
    <>
      <FileField
        label="Motion capture"
        accept={['motion', 'object']}
        also={(chosen) => (chosen ? { 'config.src': '' } : {})}
      />
      <Field path="config.src" isReadOnly={file !== null} />
      <Fields paths={['config.stream', 'config.animate']} />
    </>
  );
});

export const motionForm: ElementForm = { Content, Settings: SettingsFields };
