import { Checkbox, NumberInput, Stack, TextInput } from '@mantine/core';
import { ApiError } from '../../contract/errors.ts';
import { numberText } from '../../ui/language/say.ts';
import { FormDialog } from '../frame/FormDialog.tsx';
import { flag, number, words } from '../frame/fields.ts';
import type { BulkFields } from '../stores/bulk.ts';
import { GroupField } from './GroupField.tsx';
import { MomentField } from './MomentField.tsx';

const INITIAL = {
  sets_from: false,
  valid_from: null as string | null,
  sets_till: false,
  valid_till: null as string | null,
  sets_duration: false,
  valid_duration: null as number | null,
  sets_group: false,
  group: null as string | null,
  sets_note: false,
  note: '',
};

/** Asks for the new validity, group and note of several tokens; only the chosen fields change. */
export function ChangeDialog({
  count,
  onSubmit,
  onClose,
}: {
  count: number;
  onSubmit(fields: BulkFields): void;
  onClose(): void;
}) {
  const submit = async (draft: typeof INITIAL) => {
    const { sets_from, valid_from, sets_till, valid_till, sets_duration, valid_duration } = draft;
    const { sets_group, group, sets_note, note } = draft;
    if (sets_from && sets_till && valid_from && valid_till && valid_till <= valid_from)
      throw new ApiError('invalid', { valid_till: ['The end must be after the start.'] });
    onSubmit({
      ...(sets_from && { valid_from }),
      ...(sets_till && { valid_till }),
      ...(sets_duration && { valid_duration }),
      ...(sets_group && { group }),
      ...(sets_note && { note }),
    });
  };
  return (
    <FormDialog
      title={`Change ${numberText(count)} ${count === 1 ? 'token' : 'tokens'}`}
      centered
      initial={INITIAL}
      action="Apply"
      isComplete={(draft) =>
        draft.sets_from || draft.sets_till || draft.sets_duration || draft.sets_group || draft.sets_note
      }
      onSubmit={submit}
      onClose={onClose}
    >
      {(form) => {
        const { draft, errors, set } = form;
        return (
          <>
            <Stack gap="xs">
              <Checkbox label="Change the start" {...flag(form, 'sets_from')} />
              {draft.sets_from && (
                <MomentField
                  label="Valid from"
                  description="Leave empty to start immediately."
                  value={draft.valid_from}
                  error={errors.valid_from?.[0]}
                  onChange={(valid_from) => set({ valid_from })}
                />
              )}
            </Stack>
            <Stack gap="xs">
              <Checkbox label="Change the end" {...flag(form, 'sets_till')} />
              {draft.sets_till && (
                <MomentField
                  label="Valid until"
                  description="Leave empty for no end date."
                  value={draft.valid_till}
                  error={errors.valid_till?.[0]}
                  onChange={(valid_till) => set({ valid_till })}
                />
              )}
            </Stack>
            <Stack gap="xs">
              <Checkbox label="Change the duration" {...flag(form, 'sets_duration')} />
              {draft.sets_duration && (
                <NumberInput
                  label="Duration (minutes)"
                  description="Counted from first use, at least 5 minutes. Leave empty for no limit."
                  allowDecimal={false}
                  {...number(form, 'valid_duration')}
                />
              )}
            </Stack>
            <Stack gap="xs">
              <Checkbox label="Change the group" {...flag(form, 'sets_group')} />
              {draft.sets_group && (
                <GroupField
                  description="Leave empty for no group."
                  value={draft.group}
                  error={errors.group?.[0]}
                  onChange={(group) => set({ group })}
                />
              )}
            </Stack>
            <Stack gap="xs">
              <Checkbox label="Change the note" {...flag(form, 'sets_note')} />
              {draft.sets_note && (
                <TextInput
                  label="Note"
                  description="Leave empty for no note."
                  maxLength={500}
                  {...words(form, 'note')}
                />
              )}
            </Stack>
          </>
        );
      }}
    </FormDialog>
  );
}
