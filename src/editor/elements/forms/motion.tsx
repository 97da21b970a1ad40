import { IconRun } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { meshProblem } from '../../../../engine/document/splats.ts';
import { useDraft } from '../../fields/contexts.ts';
import { Field, Fields } from '../../fields/Field.tsx';
import { FileField } from '../../fields/FileField.tsx';
import type { ElementForm } from '../parts/form.ts';
import { SettingsFields } from '../parts/SettingsFields.tsx';

const Content = observer(() => {
  const { file } = useDraft().element;
  return (
    <>
      <FileField
        label="Motion capture"
        accept={['motion', 'object']}
        problemOf={meshProblem}
        also={(chosen) => (chosen ? { 'config.src': '' } : {})}
      />
      <Field path="config.src" isReadOnly={file !== null} />
      <Fields paths={['config.stream', 'config.animate']} />
    </>
  );
});

export const form: ElementForm = { icon: IconRun, tabs: { Content, Settings: SettingsFields } };
