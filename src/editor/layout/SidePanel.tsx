import { CloseButton, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './side-panel.module.css';

interface SidePanelProps {
  /** Name for screen readers; the title by default. */
  label?: string;
  title: string;
  /** Name of the close button. */
  closeLabel: string;
  children: ReactNode;
  onClose(): void;
}

/** A panel over the canvas, which stays usable. Esc closes it. */
export const SidePanel = ({ label, title, closeLabel, children, onClose }: SidePanelProps) => (
  <section
    className={classes.panel}
    aria-label={label ?? title}
    onKeyDown={(event) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      event.stopPropagation();
      onClose();
    }}
  >
    <header className={classes.header}>
      <Title order={2} size="h5">
        {title}
      </Title>
      <CloseButton size="sm" aria-label={closeLabel} onClick={onClose} />
    </header>
    {children}
  </section>
);
