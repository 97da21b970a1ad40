import { MultiSelect, Select, SimpleGrid } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import type { RoomFields } from '../../../engine/document/commands.ts';
import { MAX_LANGUAGES } from '../../../engine/document/languages.ts';
import { languageChoices } from '../../ui/language-choices.ts';
import { useEditor } from '../session/editor-context.ts';

/** The main language of the space, and those that visitors can choose besides. */
export const LanguageFields = observer(() => {
  const { document } = useEditor();
  const { language, languages = [] } = document.room.config;
  const set = (config: RoomFields['config'], label: string) =>
    document.run({ type: 'room.update', fields: { config } }, { label });
  const data = languageChoices([...(language ? [language] : []), ...languages]);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label="Main language"
        description="The language of the texts in the editor."
        placeholder="Not stated"
        searchable
        clearable
        readOnly={document.isReadOnly}
        data={data.filter(({ value }) => !languages.includes(value))}
        value={language ?? null}
        // A null is not a value of the setting, but removes it.
        onChange={(tag) => set({ language: tag } as RoomFields['config'], 'Main language')}
      />
      <MultiSelect
        label="Visitors can also choose"
        description="A removed language keeps its translations."
        placeholder={languages.length === 0 ? 'Add a language' : undefined}
        searchable
        readOnly={document.isReadOnly}
        maxValues={MAX_LANGUAGES}
        data={data.filter(({ value }) => value !== language)}
        value={[...languages]}
        onChange={(tags) => set({ languages: tags }, 'Languages')}
      />
    </SimpleGrid>
  );
});
