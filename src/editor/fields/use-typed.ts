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
export function useTyped(value: string, onChange: (value: string) => void): Typed {
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
