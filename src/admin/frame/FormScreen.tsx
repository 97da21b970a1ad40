import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { observer } from 'mobx-react-lite';
import { type FormEvent, type ReactNode, useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Question } from '../../ui/confirmation/confirmation-store.ts';
import { showNotification, showProblem } from '../../ui/notifications.ts';
import { tellUnshown } from '../../ui/tell-unshown.ts';
import type { AreaStore } from '../stores/area-store.ts';
import type { LoadState } from '../stores/list-store.ts';
import { Screen } from './Screen.tsx';
import { Failed, LoadingForm, NoPermission } from './states.tsx';
import { useKeptDraft } from './use-kept-draft.ts';
import { useLeaveGuard } from './use-leave-guard.ts';

/** What a form screen says and does. */
export interface FormScreenProps<Entry extends { id: number; updated_at: string }, Draft extends object> {
  title: string;
  store: AreaStore<{ id: number }, Entry, Draft>;
  /** Entry that is edited; null to add one. */
  id: number | null;
  /** List that it belongs to: where Cancel leads, and what a missing entry leads back to. Settings have none. */
  list?: string;
  /** What the entry is called, such as "space". */
  thing: string;
  allowed: boolean;
  /** Where saving leads; nowhere when left out, so that one can go on. */
  after?: ((entry: Entry) => string) | undefined;
  /** What a new entry begins with. */
  begin?: Draft;
  /** What stands above the form of a stored entry. */
  lead?: ReactNode;
  /** Buttons beside Save. */
  more?: ReactNode;
  /** What is asked before the screen is left although nothing is unsaved; nothing when left out. */
  hold?: Question;
  /** Whether the fields cannot be changed for now. */
  isLocked?: boolean;
  children: ReactNode;
}

/** Ways of not loading after which one is back in the list: trying again would change nothing. */
const RETURNS: ReadonlySet<LoadState> = new Set(['missing', 'forbidden', 'not-set-up']);

/** What is wrong besides what stands at a field. */
const Problems = observer(({ store }: { store: Pick<AreaStore<never, never, never>, 'errors'> }) => {
  const names = Object.keys(store.errors);
  if (names.length === 0) return null;
  const loose = store.errors.error ?? [];
  return (
    <Alert color="red" role="alert" title="This could not be saved">
      {loose.length > 0
        ? loose.map((text) => <Text key={text}>{text}</Text>)
        : `Correct what is marked: ${names.length} ${names.length === 1 ? 'field' : 'fields'}.`}
    </Alert>
  );
});

/** A form: loads its entry, keeps what is typed, says what is wrong, and warns before it is left unsaved. */
export const FormScreen = observer(
  <Entry extends { id: number; updated_at: string }, Draft extends object>(props: FormScreenProps<Entry, Draft>) => {
    const { title, store, id, list, thing, allowed, after, begin, lead, more, hold, isLocked, children } = props;
    const navigate = useNavigate();
    // biome-ignore lint/correctness/useExhaustiveDependencies: a new entry begins once, whatever is handed in later.
    useEffect(() => {
      if (!allowed) return;
      if (id === null) store.begin(begin);
      else void store.open(id);
    }, [store, id, allowed]);
    useEffect(() => {
      if (!list || !RETURNS.has(store.entryState)) return;
      if (store.entryState === 'missing') showNotification(`This ${thing} does not exist, or was removed.`);
      else showProblem(store.loadError);
      navigate(list, { replace: true });
    }, [store, store.entryState, list, thing, navigate]);
    useKeptDraft(store);
    const leave = useLeaveGuard(store.isDirty || hold !== undefined, hold);

    const save = async (over = false) => {
      const saved = await store.save({ over });
      if (!saved) {
        void tellUnshown(store.errors);
        return document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      }
      const next = after?.(saved);
      if (next) leave(next);
    };
    const submit = (event: FormEvent) => {
      event.preventDefault();
      void save();
    };
    useHotkeys([['mod+S', () => allowed && !isLocked && void save()]], []);

    return (
      <Screen title={title} back={list} allowed={allowed} narrow>
        {store.entryState === 'loading' && <LoadingForm />}
        {store.entryState === 'forbidden' && <NoPermission />}
        {(store.entryState === 'failed' || store.entryState === 'not-set-up') && (
          <Failed what={`The ${thing} could not be loaded`} onRetry={() => id !== null && void store.open(id)} />
        )}
        {store.entryState === 'ready' && lead}
        {store.entryState === 'ready' && (
          <form onSubmit={submit} noValidate>
            <Stack gap="lg">
              {store.isStale && (
                <Alert color="brass" role="alert" title={`Somebody else changed this ${thing} in the meantime`}>
                  <Text size="sm">What you typed is still here.</Text>
                  <Group mt="sm" gap="xs">
                    <Button size="xs" variant="default" onClick={() => id !== null && void store.open(id)}>
                      Load theirs
                    </Button>
                    <Button size="xs" onClick={() => void save(true)}>
                      Save mine over it
                    </Button>
                  </Group>
                </Alert>
              )}
              <Problems store={store} />
              <Paper withBorder p="lg">
                {children}
              </Paper>
              <Group>
                <Button type="submit" loading={store.isSaving} disabled={isLocked}>
                  {id === null ? 'Add' : 'Save'}
                </Button>
                {more}
                <Button
                  variant="default"
                  disabled={!list && !store.isDirty}
                  onClick={() => (list ? navigate(list) : store.discard())}
                >
                  Cancel
                </Button>
                {id !== null && (
                  <Text size="sm" c="dimmed" aria-live="polite">
                    {store.isDirty ? 'Not saved yet' : 'All changes are saved'}
                  </Text>
                )}
              </Group>
            </Stack>
          </form>
        )}
      </Screen>
    );
  },
);
