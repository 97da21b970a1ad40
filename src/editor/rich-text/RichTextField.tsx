import { Input, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';

const RichTextEditor = lazy(async () => ({ default: (await import('./RichTextEditor.tsx')).RichTextEditor }));

/** A field for formatted text; its value is HTML. */
export function RichTextField({
  label,
  description,
  error,
  html,
  onChange,
}: {
  label: string;
  description?: string;
  error?: string;
  html: string;
  onChange(html: string): void;
}) {
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <Suspense fallback={<Skeleton height={160} mt={4} />}>
        <RichTextEditor label={label} html={html} onChange={onChange} />
      </Suspense>
    </Input.Wrapper>
  );
}
