import { Checkbox, FileInput, type FileInputProps, Stack } from '@mantine/core';
import { useState } from 'react';
import { type HeadingLine, readHeadingLine, withoutHeading } from './heading-line.ts';

interface Chosen {
  file: File;
  heading: HeadingLine | null;
  /** What is handed on: the file with or without its heading. */
  given: File;
}

interface Props extends Pick<FileInputProps, 'label' | 'description' | 'placeholder' | 'accept' | 'leftSection'> {
  withAsterisk?: boolean;
  error?: FileInputProps['error'];
  /** What was handed on last; null for none. */
  value: File | null;
  /** Hears of the file as it is to be sent. */
  onChange(file: File | null): void;
}

/** A field for a list of access tokens, which offers to leave out a first line that looks like a heading. */
export function TokensInput({ value, onChange, ...field }: Props) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const shown = value !== null && chosen?.given === value ? chosen : null;
  const take = (file: File, heading: HeadingLine | null, isSkipped: boolean) => {
    const given = heading && isSkipped ? withoutHeading(file, heading) : file;
    setChosen({ file, heading, given });
    onChange(given);
  };
  const choose = async (file: File | null) => {
    // What was chosen before is not sent in its place meanwhile.
    onChange(null);
    if (!file) return;
    // A file that can't be read is refused when it is sent.
    const heading = await readHeadingLine(file).catch(() => null);
    take(file, heading, heading?.isNamed ?? false);
  };
  return (
    <Stack gap="xs">
      <FileInput {...field} clearable value={shown?.file ?? value} onChange={(file) => void choose(file)} />
      {shown?.heading && (
        <Checkbox
          label={`Leave out the first line: “${shown.heading.text}” looks like a heading`}
          checked={shown.given !== shown.file}
          onChange={(event) => take(shown.file, shown.heading, event.currentTarget.checked)}
        />
      )}
    </Stack>
  );
}
