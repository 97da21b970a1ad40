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

const APPEARANCES = { image: 'In the room', nadir: 'Below the visitor, over the tripod', plan: 'Plan' } as const;

const Content = observer(() => {
  const draft = useDraft();
  const { appearance } = (draft.element as ElementOf<'image'>).config;
  const common = (
    <>
      <FileField label="Image" accept={['image']} describes={appearance === 'image'} />
      <Field path="config.appearance" names={APPEARANCES} />
    </>
  );
  if (appearance === 'plan') return common;
  if (appearance === 'nadir')
    return (
      <>
        {common}
        <Field path="config.nadir_angle" />
      </>
    );
  return (
    <>
      {common}
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
          'config.frame_width',
          'config.frame_depth',
          'config.frame_color',
          'config.mat_width',
          'config.mat_color',
          'config.contact_shadow',
        ]}
      />
    </>
  );
});

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
