import { type FormEvent, useState } from 'react';
import { ApiError, type Messages } from '../../contract/errors.ts';
import { showProblem } from '../../ui/notifications.ts';
import { tellUnshown } from '../../ui/tell-unshown.ts';

/** Sends a small form: what is wrong with a field stands at it, everything else is a notice. */
export function useSubmit(send: () => Promise<unknown>, fields: readonly string[]) {
  const [errors, setErrors] = useState<Messages>({});
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    setErrors({});
    try {
      await send();
    } catch (error) {
      if (error instanceof ApiError && Object.keys(error.msg).some((name) => fields.includes(name))) {
        setErrors(error.msg);
        void tellUnshown(error.msg);
        // The mark is there once it has been drawn.
        requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      } else showProblem(error);
    }
    setBusy(false);
  };
  return { errors, isBusy, onSubmit: (event: FormEvent<HTMLFormElement>) => void submit(event) };
}
