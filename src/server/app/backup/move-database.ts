import type { Database } from '../../core/db/database.ts';
import { migrate } from '../../core/db/migrate.ts';
import { digestOf, isUnused } from './digest.ts';
import { fillTables } from './fill-tables.ts';
import { atOneMoment, lastIdOf, readRows, shapesOf } from './stored-rows.ts';

/** A copied table. */
export interface MovedTable {
  name: string;
  rows: number;
}

/** Why nothing was moved; the message is a sentence. */
export class MoveError extends Error {}

/**
 * Copies a database into an unused one and compares the two row by row.
 * @param onRows receives the number of rows written so far
 * @throws MoveError if the target is in use, or differs after copying
 */
export async function moveDatabase(
  from: Database,
  to: Database,
  onRows?: (count: number) => void,
): Promise<MovedTable[]> {
  if (await isUnused(from)) throw new MoveError('This database holds no organization. There is nothing to move.');
  if (!(await isUnused(to)))
    throw new MoveError('The other database holds an organization already. Give an empty database.');
  await migrate(from);
  await migrate(to);
  return atOneMoment(from, async (snapshot) => {
    const shapes = await shapesOf(snapshot);
    const lastIds = new Map<string, number>();
    for (const { name } of shapes) lastIds.set(name, await lastIdOf(snapshot, name));
    await fillTables(
      to,
      shapes.map((shape) => ({
        ...shape,
        lastId: lastIds.get(shape.name)!,
        rows: () => readRows(snapshot, shape),
      })),
      onRows,
    );
    const moved: MovedTable[] = [];
    for (const shape of shapes) {
      const [here, there] = [await digestOf(snapshot, shape), await digestOf(to, shape)];
      if (here.rows !== there.rows || here.hash !== there.hash)
        throw new MoveError(
          `${shape.name}: ${here.rows} rows here and ${there.rows} there are not the same. Use neither; the old database is unchanged.`,
        );
      moved.push({ name: shape.name, rows: here.rows });
    }
    return moved;
  });
}
