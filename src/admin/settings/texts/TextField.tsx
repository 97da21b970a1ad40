import { ActionIcon, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconArrowBackUp } from '@tabler/icons-react';
import { type Language, LONGEST_TEXT } from '../../../contract/viewer-texts/limits.ts';
import { bracesProblem, filledIn, type OwnTextKey, TABLES } from './text-groups.ts';

/** One text: the default as label, the custom text in the field, and a reset button. */
export function TextField({
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
  const ours = TABLES[language][name];
  const problem = bracesProblem(ours, value);
  return (
    <div>
      <TextInput
        name={`${language}.${name}`}
        lang={language}
        label={ours}
        description={filledIn(ours)}
        maxLength={LONGEST_TEXT}
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
