import { Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core';
import { type ChangeEvent, useState } from 'react';

interface Typed {
  value: string;
  onChange(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): void;
  onBlur(): void;
}

/**
 * Shows the user's input during typing, even if the value changes elsewhere meanwhile: the server trims lines and
 * sanitizes HTML.
 */
function useTyped(value: string, onChange: (value: string) => void): Typed {
  const [typed, setTyped] = useState<string | null>(null);
  return {
    value: typed ?? value,
    onChange: ({ currentTarget }) => {
      setTyped(currentTarget.value);
      onChange(currentTarget.value);
    },
    onBlur: () => setTyped(null),
  };
}

interface Text {
  value: string;
  onChange(value: string): void;
}

/** A single-line text field; input stays as typed until blur. */
export function LineField({ value, onChange, ...look }: Omit<TextInputProps, keyof Text> & Text) {
  return <TextInput {...look} {...useTyped(value, onChange)} />;
}

/** A multi-line text field; input stays as typed until blur. */
export function LinesField({ value, onChange, ...look }: Omit<TextareaProps, keyof Text> & Text) {
  return <Textarea autosize {...look} {...useTyped(value, onChange)} />;
}
