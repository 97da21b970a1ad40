import { Field } from '../../fields/Field.tsx';
import { FileField } from '../../fields/FileField.tsx';
import type { ElementForm } from './form.ts';
import { NavigationTab } from './NavigationTab.tsx';
import { SettingsFields } from './SettingsFields.tsx';

function Content() {
  return (
    <>
      <FileField label="Model" description="GLTF, GLB, or a zip with one GLTF." accept={['object']} />
      <Field path="config.node" />
      <Field path="config.animate" />
    </>
  );
}

export const modelForm: ElementForm = { Content, Settings: SettingsFields, Navigation: NavigationTab };
