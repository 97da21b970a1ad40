import { ActionIcon, Alert, Box, Group, Select, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { IconAlertTriangle, IconArrowBackUp } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { z } from 'zod';
import { type Organization, type OwnTexts, ownTextsSchema } from '../../../contract/entities.ts';
import type { OwnTextKey } from '../../../contract/viewer-texts/en.ts';
import { directionOf, type Language, MAX_TEXT_LENGTH } from '../../../contract/viewer-texts/limits.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { LANGUAGE_NAMES } from '../../frame/language-names.ts';
import { SearchField } from '../../frame/SearchField.tsx';
import { Tag } from '../../frame/text.tsx';
import { createOrganizationStore, SettingsForm } from '../SettingsForm.tsx';
import { TextPreview } from './TextPreview.tsx';
import { bracesProblem, defaultText, filledIn, TEXT_GROUPS, type TextGroup } from './text-groups.ts';
import classes from './texts.module.css';

/** One text: the default as label, the custom text in the field, and a reset button. */
function TextField({
  name,
  language,
  value,
  error,
  isLocked,
  onChange,
  onFocus,
}: {
  name: OwnTextKey;
  language: Language;
  value: string;
  error?: string | undefined;
  isLocked: boolean;
  onChange(words: string): void;
  onFocus(): void;
}) {
  const ours = defaultText(language, name);
  const problem = bracesProblem(ours, value);
  return (
    <div>
      <TextInput
        name={`${language}.${name}`}
        lang={language}
        dir={directionOf(language)}
        label={ours}
        description={filledIn(ours)}
        maxLength={MAX_TEXT_LENGTH}
        readOnly={isLocked}
        value={value}
        error={error}
        onFocus={onFocus}
        onChange={(event) => onChange(event.currentTarget.value)}
        rightSection={
          value !== '' &&
          !isLocked && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Reset to default: ${ours}`}
              title="Reset to default"
              onClick={() => onChange('')}
            >
              <IconArrowBackUp size={18} />
            </ActionIcon>
          )
        }
      />
      {problem && (
        <Text size="sm" mt={4} role="status">
          <IconAlertTriangle size={14} aria-hidden /> {problem}
        </Text>
      )}
    </div>
  );
}

interface TextsDraft {
  texts: OwnTexts;
}

const textsDraftOf = (organization: Organization | null): TextsDraft => ({
  texts: organization?.texts ?? ownTextsSchema.parse({}),
});
const schema = z.object({ texts: ownTextsSchema });

/** Filters. */
interface Narrowed {
  search: string;
  /** Title of the selected group; null for all. */
  place: string | null;
  onlyOwn: boolean;
}

/** Groups and texts that match the search, in default or custom text. */
function groupsWith({ search, place, onlyOwn }: Narrowed, language: Language, own: OwnTexts[Language]): TextGroup[] {
  const wanted = search.trim().toLowerCase();
  const isShown = (key: OwnTextKey) =>
    (!onlyOwn || own[key] !== undefined) &&
    [key, defaultText(language, key), own[key] ?? ''].some((words) => words.toLowerCase().includes(wanted));
  return TEXT_GROUPS.filter(({ title }) => place === null || title === place)
    .map((group) => ({ ...group, keys: group.keys.filter(isShown) }))
    .filter(({ keys }) => keys.length > 0);
}

/** Texts of the visitor's page, with the organization's replacements. */
export const TextsScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() =>
    createOrganizationStore(session.client, { draftOf: textsDraftOf, bodyOf: (body) => body, schema }),
  );
  const [language, setLanguage] = useState<Language>('en');
  const [narrowed, setNarrowed] = useState<Narrowed>({ search: '', place: null, onlyOwn: false });
  /** Title of the group being edited. */
  const [typedIn, setTypedIn] = useState<string | null>(null);
  const { texts } = store.draft;
  const own = texts[language];
  const change = (key: OwnTextKey, words: string) => {
    const { [key]: _, ...others } = own;
    // An empty field resets to the default.
    store.set({ texts: { ...texts, [language]: words === '' ? others : { ...others, [key]: words } } });
  };
  const groups = groupsWith(narrowed, language, own);
  const isLocked = !session.may('settings', 'update');
  const inPreview = TEXT_GROUPS.find(({ title }) => title === (narrowed.place ?? typedIn)) ?? TEXT_GROUPS[0]!;
  return (
    <SettingsForm title="Texts" store={store} hasFields>
      <Stack>
        <Text>
          Texts on buttons, in messages and around the text version of a room. Type your own text to replace one; leave
          a field empty to use the default. Placeholders such as {'{name}'} are filled in.
        </Text>
        {store.errors.texts && (
          <Alert color="red" role="alert">
            {store.errors.texts[0]}
          </Alert>
        )}
        <Group>
          <Select
            aria-label="Language"
            allowDeselect={false}
            data={LANGUAGE_NAMES}
            value={language}
            onChange={(value) => setLanguage(value as Language)}
          />
          <Box flex={1} miw={200}>
            <SearchField
              value={narrowed.search}
              label="Search texts"
              onSearch={(search) => setNarrowed((before) => ({ ...before, search }))}
            />
          </Box>
          <Select
            aria-label="Where they appear"
            placeholder="Everywhere"
            clearable
            data={TEXT_GROUPS.map(({ title }) => title)}
            value={narrowed.place}
            onChange={(place) => setNarrowed((before) => ({ ...before, place }))}
          />
        </Group>
        <Switch
          label={`Customized only (${Object.keys(own).length})`}
          checked={narrowed.onlyOwn}
          onChange={(event) => {
            const onlyOwn = event.currentTarget.checked;
            setNarrowed((before) => ({ ...before, onlyOwn }));
          }}
        />
        <div className={classes.columns}>
          <Stack gap="xl">
            {groups.map(({ title, keys }) => (
              <Stack key={title} component="section" aria-label={title}>
                <Group gap="xs">
                  <Title order={2} size="h5">
                    {title}
                  </Title>
                  {keys.some((key) => own[key] !== undefined) && (
                    <Tag>{keys.filter((key) => own[key] !== undefined).length} changed</Tag>
                  )}
                </Group>
                {keys.map((key) => (
                  <TextField
                    key={`${language} ${key}`}
                    name={key}
                    language={language}
                    value={own[key] ?? ''}
                    error={store.errors[`texts.${language}.${key}`]?.[0]}
                    isLocked={isLocked}
                    onChange={(words) => change(key, words)}
                    onFocus={() => setTypedIn(title)}
                  />
                ))}
              </Stack>
            ))}
            {groups.length === 0 && <Text c="dimmed">No texts match. Try other words.</Text>}
          </Stack>
          <div className={classes.aside}>
            <TextPreview language={language} own={own} group={inPreview} />
          </div>
        </div>
      </Stack>
    </SettingsForm>
  );
});
