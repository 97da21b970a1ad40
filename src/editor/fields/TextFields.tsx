import { Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core';
import { useTyped } from './use-typed.ts';

interface Text {
  value: string;
  onChange(value: string): void;
}

/** A line of text, which stands as it is typed until the field is left. */
export function LineField({ value, onChange, ...look }: Omit<TextInputProps, keyof Text> & Text) {
  return <TextInput {...look} {...useTyped(value, onChange)} />;
}

/** A text of several lines, which stands as it is typed until the field is left. */
export function LinesField({ value, onChange, ...look }: Omit<TextareaProps, keyof Text> & Text) {
  return <Textarea autosize {...look} {...useTyped(value, onChange)} />;
}
