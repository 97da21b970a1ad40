import type { ChangeEvent } from 'react';
import type { Messages } from '../../contract/errors.ts';

/** Members of a form that a field needs. */
export interface Form<Draft> {
  readonly draft: Draft;
  readonly errors: Messages;
  set(changes: Partial<Draft>): void;
}

type Keys<Draft, V> = { [K in keyof Draft]: Draft[K] extends V ? K : never }[keyof Draft] & string;

/** Binds a text field. */
export const words = <Draft extends object>(form: Form<Draft>, name: Keys<Draft, string>) => ({
  name,
  value: form.draft[name] as string,
  error: form.errors[name]?.[0],
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    form.set({ [name]: event.currentTarget.value } as Partial<Draft>),
});

/** Binds a number field; empty is null. */
export const number = <Draft extends object>(form: Form<Draft>, name: Keys<Draft, number | null>) => ({
  name,
  value: (form.draft[name] as number | null) ?? '',
  error: form.errors[name]?.[0],
  onChange: (value: number | string) =>
    form.set({ [name]: value === '' || Number.isNaN(Number(value)) ? null : Number(value) } as Partial<Draft>),
});

/** Binds a select of ids; no selection is null. */
export const choice = <Draft extends object>(form: Form<Draft>, name: Keys<Draft, number | null | undefined>) => ({
  name,
  value: form.draft[name] == null ? null : String(form.draft[name]),
  error: form.errors[name]?.[0],
  onChange: (value: string | null) => form.set({ [name]: value === null ? null : Number(value) } as Partial<Draft>),
});

/** Binds a select of strings. */
export const option = <Draft extends object>(form: Form<Draft>, name: Keys<Draft, string>) => ({
  name,
  value: form.draft[name] as string,
  error: form.errors[name]?.[0],
  onChange: (value: string | null) => value !== null && form.set({ [name]: value } as Partial<Draft>),
});

/** Binds a switch. */
export const flag = <Draft extends object>(form: Form<Draft>, name: Keys<Draft, boolean>) => ({
  name,
  checked: form.draft[name] as boolean,
  error: form.errors[name]?.[0],
  onChange: (event: ChangeEvent<HTMLInputElement>) =>
    form.set({ [name]: event.currentTarget.checked } as Partial<Draft>),
});

/** Binds a control with two values. */
export const yesNo = <Draft extends object>(form: Form<Draft>, name: Keys<Draft, boolean>) => ({
  value: form.draft[name] as boolean,
  onChange: (value: boolean) => form.set({ [name]: value } as Partial<Draft>),
});
