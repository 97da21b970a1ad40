import { type Choice, EntrySelect } from '../../ui/EntrySelect.tsx';
import { FormDialog } from './FormDialog.tsx';

/** What a bulk action asks for. */
export interface AskedEntry {
  title: string;
  /** Label of the field. */
  label: string;
  /** What no entry means. */
  placeholder: string;
  action: string;
  find(words: string): Promise<Choice[]>;
  /** @param id the chosen entry; null for none; undefined if canceled */
  onEnd(id: number | null | undefined): void;
}

/** Asks for an entry, such as the template of many spaces. */
export const ChooseDialog = ({ asked }: { asked: AskedEntry }) => (
  <FormDialog
    title={asked.title}
    centered
    initial={{ id: null as number | null }}
    action={asked.action}
    onSubmit={async ({ id }) => asked.onEnd(id)}
    onClose={() => asked.onEnd(undefined)}
  >
    {({ draft, set }) => (
      <EntrySelect
        label={asked.label}
        placeholder={asked.placeholder}
        clearable
        find={asked.find}
        chosen={null}
        value={draft.id === null ? null : String(draft.id)}
        onChange={(id) => set({ id: id === null ? null : Number(id) })}
      />
    )}
  </FormDialog>
);

/** Asks for an entry with a dialog. @returns its id; null for none; undefined if canceled */
export const chosenEntry = (
  ask: (asked: AskedEntry | null) => void,
  asked: Omit<AskedEntry, 'onEnd'>,
): Promise<number | null | undefined> =>
  new Promise((resolve) => {
    ask({
      ...asked,
      onEnd: (id) => {
        ask(null);
        resolve(id);
      },
    });
  });
