import { SegmentedControl } from '@mantine/core';
import { IconHtml } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useDraft } from '../../fields/contexts.ts';
import { Field } from '../../fields/Field.tsx';
import { LinesField } from '../../fields/TextFields.tsx';
import { BEYOND_RICH_TEXT } from '../../rich-text/beyond-rich-text.ts';
import { RichTextField } from '../../rich-text/RichTextField.tsx';
import type { ElementForm } from '../parts/form.ts';
import { NavigationTab } from '../parts/NavigationTab.tsx';
import { SettingsFields } from '../parts/SettingsFields.tsx';

const Content = observer(() => {
  const draft = useDraft();
  const body = draft.get('config.body') as string;
  const [mode, setMode] = useState<string>(() => (BEYOND_RICH_TEXT.test(body) ? 'source' : 'text'));
  const set = (next: string) => draft.set({ 'config.body': next });
  return (
    <>
      <SegmentedControl
        aria-label="Format"
        data={[
          { value: 'text', label: 'Text' },
          { value: 'source', label: 'HTML' },
        ]}
        value={mode}
        onChange={setMode}
      />
      {mode === 'text' ? (
        <RichTextField
          label="Text"
          description={
            BEYOND_RICH_TEXT.test(body)
              ? 'What the text editor does not know is dropped when you type here.'
              : undefined
          }
          error={draft.errors['config.body']}
          html={body}
          onChange={set}
        />
      ) : (
        <LinesField
          label="HTML"
          description="Scripts are removed."
          minRows={6}
          maxRows={20}
          styles={{ input: { fontFamily: 'monospace' } }}
          error={draft.errors['config.body']}
          value={body}
          onChange={set}
        />
      )}
      <Field path="config.padding" />
    </>
  );
});

export const form: ElementForm = {
  icon: IconHtml,
  tabs: { Content, Settings: SettingsFields, Navigation: NavigationTab },
};
