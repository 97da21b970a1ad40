import type { RoomCommand } from '../../../engine/document/commands.ts';
import { byPath, fieldsByPath } from '../../../engine/document/field-paths.ts';
import type { Room } from '../../../engine/document/room.ts';
import { type Edit, mergedEdits } from './edit.ts';
import { fieldNames, nameOfElement } from './element-names.ts';

/** Milliseconds within which steps with the same merge key become one. */
const MERGE_WITHIN = 1000;

/** One step of the history. */
export interface Step {
  id: number;
  label: string;
  merge?: string;
  /** Time of the last merged edit. */
  at: number;
  edits: readonly Edit[];
  /** Others' later changes, which undo and redo leave in place, as sentences. */
  theirs?: readonly string[];
}

/** Steps of a document, oldest first, and the number of steps that are not undone. */
export interface History {
  steps: readonly Step[];
  done: number;
}

/** Appends a step and discards undone ones. Steps with the same merge key become one. */
export function withStep({ steps, done }: History, step: Omit<Step, 'theirs'>, within = MERGE_WITHIN): History {
  const last = steps[done - 1];
  const isMerged =
    last !== undefined &&
    done === steps.length &&
    step.merge !== undefined &&
    last.merge === step.merge &&
    step.at - last.at < within;
  const next = isMerged ? { ...last, at: step.at, edits: mergedEdits(last.edits, step.edits) } : step;
  const remaining = steps.slice(0, isMerged ? done - 1 : done);
  return { steps: [...remaining, next], done: remaining.length + 1 };
}

export const flipped = ({ command, inverse }: Edit): Edit => ({ command: inverse, inverse: command });

/** Derived fields by the field that determines them. */
const FOLLOWING: Record<string, readonly string[]> = {
  file_id: ['file', 'config.file_url', 'config.mime'],
  template_id: ['template'],
  'config.realtime_file_id': ['config.realtime_file', 'config.realtime_file_url'],
};
const PLACE = 'parent_element_id';

/** Paths that commands write, by element id, or null for the room. */
export function pathsOf(commands: readonly RoomCommand[]): Map<number | null, Set<string>> {
  const paths = new Map<number | null, Set<string>>();
  const note = (id: number | null, names: readonly string[]) => {
    const known = paths.get(id) ?? new Set<string>();
    paths.set(id, known);
    for (const name of names) for (const path of [name, ...(FOLLOWING[name] ?? [])]) known.add(path);
  };
  for (const command of commands) {
    if (command.type === 'room.update') note(null, Object.keys(byPath(command.fields)));
    else if (command.type === 'element.update') note(command.id, Object.keys(byPath(command.fields)));
    else if (command.type === 'element.move') note(command.id, [PLACE]);
  }
  return paths;
}

function withoutPaths<C extends RoomCommand>(command: C, paths: ReadonlySet<string>): C {
  if (!('fields' in command)) return command;
  const left = Object.entries(byPath(command.fields)).filter(([path]) => !paths.has(path));
  return { ...command, fields: fieldsByPath(Object.fromEntries(left)) };
}

const isEmpty = (command: RoomCommand) => 'fields' in command && Object.keys(command.fields).length === 0;

/**
 * Removes others' changes from a history.
 * @param who the others
 * @param commands others' commands
 * @param room the room after them, for names
 */
export function withoutTheirs(
  { steps, done }: History,
  { who, commands }: { who: string; commands: readonly RoomCommand[] },
  room: Room,
): History {
  const theirs = pathsOf(commands);
  if (theirs.size === 0) return { steps, done };
  const cut = (step: Step): Step => {
    const names = new Set(step.theirs);
    const edits = step.edits.flatMap((edit): Edit[] => {
      const [id, paths] = [...pathsOf([edit.command])][0] ?? [];
      const both = id === undefined ? [] : [...paths!].filter((path) => theirs.get(id)?.has(path));
      if (id === undefined || both.length === 0) return [edit];
      const fields = fieldNames(both.filter((path) => !Object.values(FOLLOWING).flat().includes(path)));
      names.add(`${who} changed ${fields} of ${nameOfElement(room, id)} since`);
      if (edit.command.type === 'element.move') return [];
      const paths_ = new Set(both);
      const left = { command: withoutPaths(edit.command, paths_), inverse: withoutPaths(edit.inverse, paths_) };
      return isEmpty(left.command) ? [] : [left];
    });
    return names.size > (step.theirs?.length ?? 0) ? { ...step, edits, theirs: [...names] } : step;
  };
  const cutSteps = steps.map(cut);
  return { steps: cutSteps.every((step, index) => step === steps[index]) ? steps : cutSteps, done };
}
