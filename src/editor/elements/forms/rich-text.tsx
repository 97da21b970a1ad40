import { IconAlignLeft } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useDraft } from '../../fields/contexts.ts';
import { Field } from '../../fields/Field.tsx';
import { RichTextField } from '../../rich-text/RichTextField.tsx';
import type { ElementForm } from '../parts/form.ts';
import { NavigationTab } from '../parts/NavigationTab.tsx';
import { SettingsFields } from '../parts/SettingsFields.tsx';

const Content = observer(() => {
  const draft = useDraft();
  return (
    <>
      <RichTextField
        label="Text"
        error={draft.errors['config.body']}
        html={draft.get('config.body') as string}
        onChange={(body) => draft.set({ 'config.body': body })}
      />
      <Field path="config.padding" />
    </>
  );
});

export const form: ElementForm = {
  icon: IconAlignLeft,
  tabs: { Content, Settings: SettingsFields, Navigation: NavigationTab },
};
