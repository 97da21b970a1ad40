import { Button, Group, Modal, type ModalProps, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError, type Messages } from '../../contract/errors.ts';
import { showProblem } from '../../ui/notifications.ts';
import { reportUnshown } from '../../ui/tell-unshown.ts';
import type { Form } from './fields.ts';

/**
 * Submits a small form: field errors appear at their fields, all others as notifications.
 * @param fields fields of the form, of which the first invalid one gets focus; if missing, focus stays
 */
export function useSubmit(send: () => Promise<unknown>, fields?: readonly string[]) {
  const [errors, setErrors] = useState<Messages>({});
  const [isBusy, setBusy] = useState(false);
  const isOfField = (error: unknown): error is ApiError =>
    error instanceof ApiError &&
    (fields ? Object.keys(error.msg).some((name) => fields.includes(name)) : error.code === 'invalid');
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A dialog opened in a form is not part of it.
    event.stopPropagation();
    const form = event.currentTarget;
    setBusy(true);
    setErrors({});
    try {
      await send();
    } catch (error) {
      if (isOfField(error)) {
        setErrors(error.msg);
        void reportUnshown(error.msg);
        // Wait until the invalid field is rendered.
        if (fields) requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      } else showProblem(error);
    }
    setBusy(false);
  };
  return { errors, isBusy, onSubmit: (event: FormEvent<HTMLFormElement>) => void submit(event) };
}

/** A small form with its draft: submits it as `useSubmit` does. */
export function useForm<Draft extends object>(
  initial: Draft,
  send: (draft: Draft, set: Form<Draft>['set']) => Promise<unknown>,
  fields?: readonly string[],
) {
  const [draft, setDraft] = useState(initial);
  const set = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  const submission = useSubmit(() => send(draft, set), fields);
  return { ...submission, draft, set };
}

/** Dialog with a form: shows field errors at the fields and other errors as notifications. */
export function FormDialog<Draft extends object>({
  initial,
  action,
  isComplete = () => true,
  onSubmit,
  onClose,
  children,
  ...modal
}: {
  initial: Draft;
  /** Label of the submit button. */
  action: string;
  /** Whether there is something to submit. */
  isComplete?(draft: Draft): boolean;
  /** @throws ApiError with the invalid fields */
  onSubmit(draft: Draft): Promise<unknown>;
  onClose(): void;
  /** Renders the fields. */
  children(form: Form<Draft>): ReactNode;
} & Pick<ModalProps, 'title' | 'size' | 'centered'>) {
  const form = useForm(initial, onSubmit);
  return (
    <Modal opened onClose={onClose} {...modal}>
      <form onSubmit={form.onSubmit} noValidate>
        <Stack>
          {children(form)}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={form.isBusy} disabled={!isComplete(form.draft)}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
