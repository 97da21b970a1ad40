import { Button, type ButtonProps, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** Copy button that confirms the copy. */
export function CopyValue({
  value,
  label = 'Copy',
  hasIcon = true,
  ...button
}: { value: string; label?: string; hasIcon?: boolean; 'aria-label'?: string } & ButtonProps) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          onClick={copy}
          leftSection={hasIcon && (copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />)}
          {...button}
        >
          {copied ? 'Copied' : label}
        </Button>
      )}
    </CopyButton>
  );
}
