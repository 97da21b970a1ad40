import { Button, Group, Loader, Text } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect, useRef } from 'react';

interface LibraryGridProps {
  /** What is listed: asks for more when its end comes near. */
  store: { readonly state: 'loading' | 'ready' | 'failed'; readonly hasMore: boolean; more(): Promise<void> };
  /** Name of the list for screen readers. */
  label: string;
  /** What is said where nothing could be loaded. */
  failure: string;
  /** What is said where nothing is found; null while something is. */
  empty: ReactNode;
  className: string | undefined;
  children: ReactNode;
  /** Stands left of the buttons. */
  footer?: ReactNode;
  onClose(): void;
  /** Chooses what is selected; undefined while nothing is. */
  onChoose: (() => void) | undefined;
}

/** What a library holds, page after page, and the buttons that choose from it. */
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
        <Group justify="flex-end">
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
