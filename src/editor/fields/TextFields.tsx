import { Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core';
import { type ChangeEvent, useState } from 'react';

interface Typed {
  value: string;
  onChange(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): void;
  onBlur(): void;
}

/**
 * What a text field shows: while one types what was typed, whatever becomes of it elsewhere meanwhile; a server trims
 * lines and cleans HTML.
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

/** A line of text, which stands as it is typed until the field is left. */
export function LineField({ value, onChange, ...look }: Omit<TextInputProps, keyof Text> & Text) {
  return <TextInput {...look} {...useTyped(value, onChange)} />;
}

/** A text of several lines, which stands as it is typed until the field is left. */
export function LinesField({ value, onChange, ...look }: Omit<TextareaProps, keyof Text> & Text) {
  return <Textarea autosize {...look} {...useTyped(value, onChange)} />;
}
