import { Button, Group, Input, PasswordInput, Text, TextInput } from '@mantine/core';
import type { ChangeEvent } from 'react';
import { type Credential, PLATFORM_FORMS, type Platform } from '../../../contract/entities.ts';

/** A credential: an input, or the status of the stored one. */
export function CredentialField({
  platform,
  name,
  value,
  error,
  isLocked,
  onChange,
  onRemove,
}: {
  platform: Platform;
  name: Credential;
  /** Entered value; undefined if untouched. */
  value: string | undefined;
  error: string | undefined;
  isLocked: boolean;
  onChange(value: string | undefined): void;
  onRemove(): void;
}) {
  const { label, help, isOpen } = PLATFORM_FORMS[platform.platform].fields[name]!;
  const { is_set, hint } = platform.fields.find((field) => field.name === name)!;
  const isOfServer = platform.source === 'server';
  const shared = {
    label,
    description: help,
    error,
    maxLength: 4096,
    autoComplete: 'off',
    disabled: isLocked,
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange(event.currentTarget.value),
  };
  if (isOpen && !isOfServer) return <TextInput {...shared} value={value ?? hint} />;
  if (value !== undefined || !is_set)
    return (
      <Group align="end" gap="xs" wrap="nowrap">
        {isOpen ? (
          <TextInput {...shared} flex={1} value={value ?? ''} />
        ) : (
          <PasswordInput {...shared} autoComplete="new-password" flex={1} value={value ?? ''} />
        )}
        {is_set && (
          <Button variant="default" onClick={() => onChange(undefined)}>
            Keep
          </Button>
        )}
      </Group>
    );
  const known = isOfServer ? 'From the server’s settings' : hint ? `Set, ending in …${hint}` : 'Set';
  return (
    <Input.Wrapper label={label} description={help} error={error} labelElement="div">
      <Group justify="space-between" gap="xs" mt={4}>
        <Text size="sm">{known}</Text>
        {!isLocked && (
          <Group gap="xs">
            <Button size="xs" variant="default" aria-label={`Replace: ${label}`} onClick={() => onChange('')}>
              Replace
            </Button>
            {!isOfServer && (
              <Button size="xs" variant="subtle" color="red" aria-label={`Remove: ${label}`} onClick={onRemove}>
                Remove
              </Button>
            )}
          </Group>
        )}
      </Group>
    </Input.Wrapper>
  );
}
