import { Fieldset, Stack } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useDraft } from '../../fields/contexts.ts';
import { Field } from '../../fields/Field.tsx';
import { UrlFileField } from '../../fields/FileField.tsx';

/** Texts and audio for people who can't see or hear an element; nothing for types without an alternative text. */
export const AccessibilityFields = observer(() => {
  const { config } = useDraft().element;
  if (!('alt' in config)) return null;
  return (
    <Fieldset legend="Accessibility" p="xs">
      <Stack gap="sm">
        {!config.decorative && <Field path="config.alt" />}
        <Field path="config.decorative" />
        {!config.decorative && <Field path="config.long_description" />}
        {!config.decorative && 'transcript' in config && <Field path="config.transcript" />}
        {'audio_description' in config && (
          <UrlFileField
            path="config.audio_description"
            label="Audio description"
            description="Audio file that describes the video, played in step with it."
            accept={['audio']}
          />
        )}
      </Stack>
    </Fieldset>
  );
});
