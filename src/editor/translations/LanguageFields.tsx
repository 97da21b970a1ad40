import { MultiSelect, Select, SimpleGrid } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import type { RoomFields } from '../../../engine/document/commands.ts';
import { languageName, MAX_LANGUAGES } from '../../../engine/document/languages.ts';
import { locale } from '../../ui/language/language.ts';
import { useEditor } from '../session/editor-context.ts';

/** Languages to choose from. A space keeps any other BCP 47 tag that it has. */
const TAGS =
  `ar bg bn ca cs cy da de de-CH el en en-GB en-US es es-419 et eu fa fi fr fr-CA fy ga gl he hi hr hu hy id is it
  ja ka ko lb lt lv mk ms mt nb nl nl-BE nn pl pt pt-BR pt-PT rm ro ru sk sl sq sr sv sw ta th tr uk ur vi zh-Hans
  zh-Hant`.split(/\s+/);

const choices = (own: readonly string[]) =>
  [...new Set([...own, ...TAGS])]
    .map((value) => ({ value, label: languageName(value, locale) }))
    .sort((one, other) => one.label.localeCompare(other.label, locale));

/** The main language of the space, and those that visitors can choose besides. */
export const LanguageFields = observer(() => {
  const { document } = useEditor();
  const { language, languages = [] } = document.room.config;
  const set = (config: RoomFields['config'], label: string) =>
    document.run({ type: 'room.update', fields: { config } }, { label });
  const data = choices([...(language ? [language] : []), ...languages]);
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
