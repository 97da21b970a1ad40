import { Badge, type BadgeProps, Text, type TextProps } from '@mantine/core';
import type { AriaAttributes, AriaRole, ReactNode } from 'react';

/** Secondary text. */
export const Quiet = (props: TextProps & AriaAttributes & { role?: AriaRole; children: ReactNode }) => (
  <Text size="sm" c="dimmed" {...props} />
);

/** Quiet badge in sentence case. */
export const Tag = (props: BadgeProps) => <Badge variant="light" tt="none" {...props} />;
