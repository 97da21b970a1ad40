import { Alert, Group, SegmentedControl, Stack, Switch, Text, TextInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { z } from 'zod';
import { type Organization, type OwnTexts, ownTextsSchema } from '../../../contract/entities.ts';
import { en } from '../../../contract/viewer-texts/en.ts';
import { type Language, LONGEST_TEXT } from '../../../contract/viewer-texts/limits.ts';
import { nl } from '../../../contract/viewer-texts/nl.ts';
import { textPageEn, textPageNl } from '../../../contract/viewer-texts/text-page.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { FormScreen } from '../../frame/FormScreen.tsx';
import { SearchField } from '../../frame/SearchField.tsx';
import { createOrganizationStore, OWN } from '../organization-store.ts';

const TABLES = { en: { ...en, ...textPageEn }, nl: { ...nl, ...textPageNl } };
type OwnTextKey = keyof typeof TABLES.en;
const LANGUAGE_NAMES: { value: Language; label: string }[] = [
  { value: 'en', label: 'English' },
  { value: 'nl', label: 'Nederlands' },
];
const TEXT_KEYS = Object.keys(TABLES.en) as OwnTextKey[];

interface TextsDraft {
  texts: OwnTexts;
}

const textsDraftOf = (organization: Organization | null): TextsDraft => ({
  texts: organization?.texts ?? { en: {}, nl: {} },
});
const schema = z.object({ texts: ownTextsSchema });

/** The keys of what holds some words, whether the viewer's or the organization's own. */
function keysWith(search: string, language: Language, own: OwnTexts[Language], onlyOwn: boolean): OwnTextKey[] {
  const wanted = search.trim().toLowerCase();
  return TEXT_KEYS.filter((key) => {
    if (onlyOwn && own[key] === undefined) return false;
    return [key, TABLES[language][key], own[key] ?? ''].some((words) => words.toLowerCase().includes(wanted));
  });
}

/** What visitors read in rooms, with the organization's own words in place of the viewer's. */
export const TextsScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() =>
    createOrganizationStore(session.client, { draftOf: textsDraftOf, bodyOf: (body) => body, schema }),
  );
  const [language, setLanguage] = useState<Language>('en');
  const [search, setSearch] = useState('');
  const [onlyOwn, setOnlyOwn] = useState(false);
  const { texts } = store.draft;
  const own = texts[language];
  const change = (key: OwnTextKey, words: string) => {
    const { [key]: _, ...others } = own;
    // An empty field is the viewer's own text again.
    store.set({ texts: { ...texts, [language]: words === '' ? others : { ...others, [key]: words } } });
  };
  const keys = keysWith(search, language, own, onlyOwn);
  const isLocked = !session.may('settings', 'update');
  return (
    <FormScreen
      title="Texts"
      store={store}
      id={OWN}
      thing="settings"
      allowed={session.may('settings', 'view_any')}
      isLocked={isLocked}
    >
      <Stack>
        <Text>
          What visitors read on the buttons and in the messages of a room, and around its text. Type your own words
          where you want others; an empty field keeps ours. Words in braces, such as {'{name}'}, are filled in.
        </Text>
        {store.errors.texts && (
          <Alert color="red" role="alert">
            {store.errors.texts[0]}
          </Alert>
        )}
        <Group>
          <SegmentedControl
            aria-label="Language"
            data={LANGUAGE_NAMES}
            value={language}
            onChange={(value) => setLanguage(value as Language)}
          />
          <SearchField value={search} label="Search texts" onSearch={setSearch} />
        </Group>
        <Switch
          label={`Only my own (${Object.keys(own).length})`}
          checked={onlyOwn}
          onChange={(event) => setOnlyOwn(event.currentTarget.checked)}
        />
        {keys.map((key) => (
          <TextInput
            key={`${language} ${key}`}
            name={`${language}.${key}`}
            lang={language}
            label={TABLES[language][key]}
            maxLength={LONGEST_TEXT}
            readOnly={isLocked}
            value={own[key] ?? ''}
            error={store.errors[`texts.${language}.${key}`]?.[0]}
            onChange={(event) => change(key, event.currentTarget.value)}
          />
        ))}
        {keys.length === 0 && <Text c="dimmed">No text has these words.</Text>}
      </Stack>
    </FormScreen>
  );
});
