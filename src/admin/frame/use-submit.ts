import { type FormEvent, useState } from 'react';
import { ApiError, type Messages } from '../../contract/errors.ts';
import { showProblem } from '../../ui/notifications.ts';
import { tellUnshown } from '../../ui/tell-unshown.ts';

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
    const form = event.currentTarget;
    setBusy(true);
    setErrors({});
    try {
      await send();
    } catch (error) {
      if (isOfField(error)) {
        setErrors(error.msg);
        void tellUnshown(error.msg);
        // Wait until the invalid field is rendered.
        if (fields) requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      } else showProblem(error);
    }
    setBusy(false);
  };
  return { errors, isBusy, onSubmit: (event: FormEvent<HTMLFormElement>) => void submit(event) };
}
