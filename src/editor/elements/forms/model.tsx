import { IconCube } from '@tabler/icons-react';
import { Field } from '../../fields/Field.tsx';
import { FileField } from '../../fields/FileField.tsx';
import type { ElementForm } from '../parts/form.ts';
import { NavigationTab } from '../parts/NavigationTab.tsx';
import { SettingsFields } from '../parts/SettingsFields.tsx';

function Content() {
  return (
    <>
      <FileField label="Model" description="GLTF, GLB, or a zip with one GLTF." accept={['object']} />
      <Field path="config.node" />
      <Field path="config.animate" />
      <Field path="config.lights" />
    </>
  );
}

export const form: ElementForm = {
  icon: IconCube,
  tabs: { Content, Settings: SettingsFields, Navigation: NavigationTab },
};
