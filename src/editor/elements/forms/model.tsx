import { IconCube } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useDraft } from '../../fields/contexts.ts';
import { Field } from '../../fields/Field.tsx';
import { FileField } from '../../fields/FileField.tsx';
import type { ElementForm } from '../parts/form.ts';
import { NavigationTab } from '../parts/NavigationTab.tsx';
import { SettingsFields } from '../parts/SettingsFields.tsx';

const Content = observer(() => {
  const { file } = useDraft().element;
  return (
    <>
      <FileField
        label="Model"
        description="GLTF, GLB, a zip with one GLTF, or splats as PLY, SPZ or SOG."
        accept={['object']}
      />
      {file?.splats ? (
        <>
          <Field path="config.crop_min" step={0.05} />
          <Field path="config.crop_max" step={0.05} />
        </>
      ) : (
        <>
          <Field path="config.node" />
          <Field path="config.animate" />
          <Field path="config.lights" />
        </>
      )}
    </>
  );
});

export const form: ElementForm = {
  icon: IconCube,
  tabs: { Content, Settings: SettingsFields, Navigation: NavigationTab },
};
