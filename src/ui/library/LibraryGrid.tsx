import { Button, Group, Loader, Text } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './library.module.css';

interface LibraryGridProps {
  /** Items and paging; loads more near the end. */
  store: { readonly state: 'loading' | 'ready' | 'failed'; readonly hasMore: boolean; more(): Promise<void> };
  /** Accessible name of the list. */
  label: string;
  /** Error text. */
  failure: string;
  /** Empty text; null if there are items. */
  empty: ReactNode;
  className: string | undefined;
  children: ReactNode;
  /** Content left of the buttons. */
  footer?: ReactNode;
  onClose(): void;
  /** Confirms the selection; undefined if nothing is selected. */
  onChoose: (() => void) | undefined;
}

/** Grid of a library with infinite scrolling and the buttons to choose. */
export const LibraryGrid = observer(
  ({ store, label, failure, empty, className, children, footer, onClose, onChoose }: LibraryGridProps) => {
    const grid = useRef<HTMLDivElement>(null);
    const { ref: end, entry: endEntry } = useIntersection({ root: grid.current, rootMargin: '300px' });
    const { state } = store;
    useEffect(() => {
      if (endEntry?.isIntersecting && state === 'ready' && store.hasMore) void store.more();
    }, [endEntry, state, store]);
    return (
      <>
        {state === 'failed' ? (
          <Group>
            <Text c="red" role="alert">
              {failure}
            </Text>
            <Button size="xs" variant="light" onClick={() => void store.more()}>
              Try again
            </Button>
          </Group>
        ) : (
          <div ref={grid} className={className} role="listbox" aria-label={label}>
            {children}
            <div ref={end} role="presentation" />
          </div>
        )}
        {state === 'loading' && <Loader size="sm" aria-label="Loading" />}
        {state === 'ready' && empty && <Text c="dimmed">{empty}</Text>}
        <Group justify="flex-end" className={classes.footer}>
          {footer}
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={!onChoose} onClick={onChoose}>
            Choose
          </Button>
        </Group>
      </>
    );
  },
);
