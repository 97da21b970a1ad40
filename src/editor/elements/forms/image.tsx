import { Stack } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import type { ElementOf } from '../../../../engine/document/element.ts';
import { useDraft } from '../../fields/contexts.ts';
import { Field, Fields } from '../../fields/Field.tsx';
import { FileField } from '../../fields/FileField.tsx';
import type { ElementForm } from '../parts/form.ts';
import { NavigationTab } from '../parts/NavigationTab.tsx';
import { SettingsFields } from '../parts/SettingsFields.tsx';

function Content() {
  return (
    <>
      <FileField label="Image" accept={['image']} />
      <Fields
        paths={[
          'config.title',
          'config.title_alignment',
          'config.title_color',
          'config.title_size',
          'config.text',
          'config.author',
          'config.date',
          'config.caption_style',
          'config.caption_side',
          'config.caption_width',
        ]}
      />
    </>
  );
}

/** Link of the image, and whether visitors can look closer where it has none. */
const Navigation = observer(() => {
  const { config } = useDraft().element as ElementOf<'image'>;
  return (
    <Stack gap="sm">
      {config.navigation.type === 'disabled' && !config.decorative && <Field path="config.zoomable" />}
      <NavigationTab />
    </Stack>
  );
});

export const form: ElementForm = {
  icon: IconPhoto,
  tabs: { Content, Settings: SettingsFields, Navigation },
};
