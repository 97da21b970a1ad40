import { Textarea } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { withTexts } from '../../../engine/document/text-translations.ts';
import type { TextTranslations as TextTranslationsByLanguage } from '../../../engine/document/translation-fields.ts';
import { TextTranslations } from '../../ui/TextTranslations.tsx';
import type { createTemplatesStore } from './TemplatesScreen.tsx';

/** Texts about the 360° photo of a template, for people who can't see it. */
export const PanoramaTexts = observer(({ store }: { store: ReturnType<typeof createTemplatesStore> }) => {
  const { draft, errors } = store;
  const field = (name: 'alt' | 'long_description', label: string, description: string, maxRows: number) => (
    <Textarea
      label={label}
      description={description}
      autosize
      minRows={1}
      maxRows={maxRows}
      value={draft.config[name] ?? ''}
      error={errors[`config.${name}`]?.[0]}
      onChange={({ currentTarget }) => store.set({ config: { ...draft.config, [name]: currentTarget.value } })}
    />
  );
  const { long_description: long = '', translations: given = {} } = draft.config;
  const known = given as TextTranslationsByLanguage;
  return (
    <>
      {field('alt', 'Alternative text', 'What the 360° photo shows, for screen readers.', 4)}
      {field('long_description', 'Detailed description', 'Shown to visitors on request.', 8)}
      <TextTranslations
        fields={[
          { name: 'alt', label: 'Alternative text', text: draft.config.alt ?? '', maxLength: 1000 },
          { name: 'long_description', label: 'Detailed description', text: long, maxLength: 10_000 },
        ]}
        languages={[]}
        translations={known}
        isReadOnly={false}
        action="Apply translations"
        onSave={async (language, texts) => {
          const translations = withTexts(known, language, texts, { alt: draft.config.alt, long_description: long });
          store.set({ config: { ...draft.config, translations } });
        }}
      />
    </>
  );
});
