import { Badge, Button, Group, Select, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { directionOfTag } from '../../engine/document/languages.ts';
import type { TextsByField } from '../../engine/document/text-translations.ts';
import type { TextTranslations as Translations } from '../../engine/document/translation-fields.ts';
import { stateOf } from '../../engine/document/translation-state.ts';
import { languageChoices } from './language-choices.ts';
import { showProblem } from './notifications.ts';
import { STATE_COLORS, STATE_LABELS } from './translation-states.ts';

/** A text to translate. */
export interface SourceField {
  name: string;
  label: string;
  /** The saved text; translations of an empty one are not asked for. */
  text: string;
  maxLength: number;
}

interface Props {
  fields: readonly SourceField[];
  /** Languages that are offered to visitors, the first of which is shown. */
  languages: readonly string[];
  translations: Translations;
  isReadOnly: boolean;
  /** Label of the button. */
  action?: string;
  /** Saves the changed texts of a language. */
  onSave(language: string, texts: TextsByField): Promise<void>;
}

/** Translations of a few texts beside their sources, one language at a time. They are saved at once. */
export function TextTranslations(props: Props) {
  const { fields, languages, translations, isReadOnly, action = 'Save translations', onSave } = props;
  const own = Object.keys(translations);
  const [language, setLanguage] = useState<string | null>(languages[0] ?? own[0] ?? null);
  const [typed, setTyped] = useState<TextsByField>({});
  const [isBusy, setBusy] = useState(false);
  const rows = fields
    .filter(({ text }) => text.trim() !== '')
    .map((field) => {
      const translation = language === null ? undefined : translations[language]?.[field.name];
      return { ...field, translation, state: stateOf(translation, field.text) };
    });
  // A saved outdated text or draft is confirmed.
  const changed: TextsByField = Object.fromEntries(
    rows.flatMap(({ name, translation, state }) => {
      const text = typed[name] ?? translation?.text ?? '';
      return text !== (translation?.text ?? '') || state === 'outdated' || state === 'draft' ? [[name, text]] : [];
    }),
  );
  const save = async () => {
    setBusy(true);
    try {
      await onSave(language!, changed);
      setTyped({});
    } catch (error) {
      showProblem(error);
    } finally {
      setBusy(false);
    }
  };
  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        There are no texts to translate yet.
      </Text>
    );
  return (
    <Stack>
      <Select
        label="Translate into"
        placeholder="Choose a language"
        searchable
        maw={320}
        data={languageChoices([...languages, ...own])}
        value={language}
        onChange={(tag) => {
          setLanguage(tag);
          setTyped({});
        }}
      />
      {language !== null &&
        rows.map(({ name, label, text, maxLength, translation, state }) => (
          <SimpleGrid key={name} cols={{ base: 1, sm: 2 }}>
            <div>
              <Group gap="xs" mb={4}>
                <Text size="sm" fw={500}>
                  {label}
                </Text>
                <Badge size="sm" tt="none" variant="light" color={STATE_COLORS[state]} c="var(--mantine-color-text)">
                  {STATE_LABELS[state]}
                </Badge>
              </Group>
              <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {text}
              </Text>
            </div>
            <div lang={language} dir={directionOfTag(language)}>
              <Textarea
                label={<span lang="en">{`Translation: ${label}`}</span>}
                autosize
                minRows={1}
                maxRows={12}
                maxLength={maxLength}
                readOnly={isReadOnly}
                value={typed[name] ?? translation?.text ?? ''}
                onChange={({ currentTarget }) => setTyped((before) => ({ ...before, [name]: currentTarget.value }))}
              />
            </div>
          </SimpleGrid>
        ))}
      {language !== null && !isReadOnly && (
        <div>
          <Button
            variant="default"
            loading={isBusy}
            disabled={Object.keys(changed).length === 0}
            onClick={() => void save()}
          >
            {action}
          </Button>
        </div>
      )}
    </Stack>
  );
}
