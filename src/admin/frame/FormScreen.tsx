import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { observer } from 'mobx-react-lite';
import { createContext, type FormEvent, type ReactNode, useContext, useEffect } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import type { Area } from '../../contract/entities.ts';
import type { Question } from '../../ui/confirmation/confirmation-store.ts';
import { showNotification, showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import type { SessionStore } from '../../ui/session/session-store.ts';
import { type StoredText, storedText } from '../../ui/storage.ts';
import { reportUnshown } from '../../ui/tell-unshown.ts';
import type { AreaStore } from '../stores/area-store.ts';
import type { LoadState } from '../stores/list-store.ts';
import classes from './form.module.css';
import { Failed, LoadingForm, NoPermission, Screen } from './Screen.tsx';
import { Quiet } from './text.tsx';
import { useLeaveGuard } from './use-leave-guard.ts';

/** Where a form's draft is kept until its user signs in again: others who sign in don't see it. */
const draftPlace = ({ user }: SessionStore) => storedText(`enfilade.draft:${user?.id}:${location.pathname}`);

/** Returns and removes a kept draft. */
function takeDraft(kept: StoredText): object | null {
  const text = kept.get();
  if (text === null) return null;
  kept.set(null);
  try {
    const draft: unknown = JSON.parse(text);
    return typeof draft === 'object' ? draft : null;
  } catch {
    return null;
  }
}

/** Form store members needed to keep a draft. */
interface Typed {
  readonly entryState: LoadState;
  readonly isDirty: boolean;
  readonly draft: object;
  restore(draft: object): void;
}

/** Keeps the draft when the session ends, and restores it after the next sign-in. */
function useKeptDraft(store: Typed): void {
  const session = useSession();
  const { entryState } = store;
  useEffect(
    () =>
      session.beforeExpiry(() => {
        if (store.isDirty) draftPlace(session).set(JSON.stringify(store.draft));
      }),
    [session, store],
  );
  useEffect(() => {
    if (entryState !== 'ready') return;
    const draft = takeDraft(draftPlace(session));
    if (!draft) return;
    store.restore(draft);
    showNotification('Your session ended. Your unsaved changes have been restored.');
  }, [entryState, session, store]);
}

/** The id in the URL; null on add routes. A non-numeric id matches no entry. */
export function useIdParam(): number | null {
  const { id } = useParams();
  if (id === undefined) return null;
  return /^\d{1,15}$/.test(id) ? Number(id) : 0;
}

/** Texts, store and actions of a form screen. */
export interface FormScreenProps<Entry extends { id: number; updated_at: string }, Draft extends object> {
  /** The resource; a path is missing for settings, which have no list. */
  of: { noun: string; area: Area; path?: string };
  /** Name of the entry, if it is known. */
  name?: string | undefined;
  /** Title of an add form, if not "Add" and the noun. */
  addTitle?: string;
  store: AreaStore<{ id: number }, Entry, Draft>;
  /** Id of the edited entry; null when adding. */
  id: number | null;
  /** Whether the user may see the form, if their rights in the area don't decide. */
  allowed?: boolean;
  /** Target after saving; stays on the form if missing. */
  after?: ((entry: Entry) => string | undefined) | undefined;
  /** Initial values of a new entry. */
  begin?: Draft;
  /** Content above the form of an existing entry. */
  lead?: ReactNode;
  /** Content beside the form, if the screen is wide. */
  aside?: ReactNode;
  /** Buttons next to Save. */
  more?: ReactNode;
  /** Confirmation before leaving even without unsaved changes. */
  hold?: Question;
  /** Whether the entry can't be saved for now. */
  isLocked?: boolean;
  /** Whether the content marks its fields by `Fields` itself: it has other controls. */
  hasFields?: boolean;
  /** Whether Save applies to the visible content; if not, the form has no buttons. */
  isSaved?: boolean;
  children: ReactNode;
}

const ReadOnly = createContext(false);

/** Fields of a form: disabled for users who may see but not change the entry. */
export const Fields = ({ children }: { children: ReactNode }) => (
  <fieldset className={classes.fields} disabled={useContext(ReadOnly)}>
    {children}
  </fieldset>
);

/** Load states that redirect to the list, since a retry would not help. */
const RETURNS: ReadonlySet<LoadState> = new Set(['missing', 'forbidden', 'not-set-up']);

/** Errors that don't belong to a visible field. */
const Problems = observer(({ store }: { store: Pick<AreaStore<never, never, never>, 'errors'> }) => {
  const names = Object.keys(store.errors);
  if (names.length === 0) return null;
  const loose = store.errors.error ?? [];
  return (
    <Alert color="red" role="alert" title="Not saved">
      {loose.length > 0
        ? loose.map((text) => <Text key={text}>{text}</Text>)
        : `Correct ${names.length === 1 ? 'the marked field' : `the ${names.length} marked fields`}.`}
    </Alert>
  );
});

/** Form screen: loads the entry, keeps the draft, shows errors, and asks before unsaved changes are lost. */
export const FormScreen = observer(
  <Entry extends { id: number; updated_at: string }, Draft extends object>(props: FormScreenProps<Entry, Draft>) => {
    const {
      of: resource,
      store,
      id,
      after,
      begin,
      lead,
      aside,
      more,
      hold,
      hasFields,
      isSaved = true,
      children,
    } = props;
    const { noun, area, path: list } = resource;
    const session = useSession();
    const mayChange = session.may(area, id === null ? 'create' : 'update');
    const allowed = props.allowed ?? (mayChange || (id !== null && session.may(area, 'view_any')));
    const isLocked = props.isLocked || !mayChange;
    const title =
      id === null ? (props.addTitle ?? `Add ${noun}`) : props.name || noun.charAt(0).toUpperCase() + noun.slice(1);
    const navigate = useNavigate();
    // biome-ignore lint/correctness/useExhaustiveDependencies: initial values apply once.
    useEffect(() => {
      if (!allowed) return;
      if (id === null) store.begin(begin);
      else void store.open(id);
    }, [store, id, allowed]);
    useEffect(() => {
      if (!list || !RETURNS.has(store.entryState)) return;
      if (store.entryState === 'missing') showNotification(`This ${noun} does not exist, or was removed.`);
      else showProblem(store.loadError);
      navigate(list, { replace: true });
    }, [store, store.entryState, list, noun, navigate]);
    useKeptDraft(store);
    const leave = useLeaveGuard(store.isDirty || hold !== undefined, hold);

    const save = async (over = false) => {
      const saved = await store.save({ over });
      if (!saved) {
        void reportUnshown(store.errors);
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

    const content = (
      <>
        {store.entryState === 'loading' && <LoadingForm />}
        {store.entryState === 'forbidden' && <NoPermission />}
        {(store.entryState === 'failed' || store.entryState === 'not-set-up') && (
          <Failed what={`The ${noun} could not be loaded`} onRetry={() => id !== null && void store.open(id)} />
        )}
        {store.entryState === 'ready' && lead}
        {store.entryState === 'ready' && (
          <form onSubmit={submit} noValidate>
            <Stack gap="lg">
              {store.isStale && (
                <Alert color="brass" role="alert" title={`Someone else changed this ${noun}`}>
                  <Text size="sm">Your changes are still here.</Text>
                  <Group mt="sm" gap="xs">
                    <Button size="xs" variant="default" onClick={() => id !== null && void store.open(id)}>
                      Load theirs
                    </Button>
                    <Button size="xs" onClick={() => void save(true)}>
                      Overwrite with mine
                    </Button>
                  </Group>
                </Alert>
              )}
              <Problems store={store} />
              <ReadOnly value={!mayChange}>
                <Paper withBorder p="lg">
                  {hasFields ? children : <Fields>{children}</Fields>}
                </Paper>
              </ReadOnly>
              {!mayChange && <Quiet role="status">You can see this {noun} but not change it.</Quiet>}
              {mayChange && isSaved && (
                <Group className={classes.bar}>
                  <Button type="submit" loading={store.isSaving} disabled={isLocked || (id !== null && !store.isDirty)}>
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
                    <Quiet aria-live="polite">{store.isDirty ? 'Unsaved changes' : 'All changes saved'}</Quiet>
                  )}
                </Group>
              )}
            </Stack>
          </form>
        )}
      </>
    );
    return (
      <Screen title={title} back={list} allowed={allowed} narrow={!aside}>
        {aside ? (
          <div className={classes.beside}>
            <Stack gap="lg">{content}</Stack>
            <aside className={classes.aside}>{store.entryState === 'ready' && aside}</aside>
          </div>
        ) : (
          content
        )}
      </Screen>
    );
  },
);
