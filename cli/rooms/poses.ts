import type { CameraPose } from '../../engine/scene/scene.ts';
import { quaternionOf } from '../../engine/scene/start-pose.ts';
import { type Problem, wrongError } from '../failure.ts';
import { readCsv } from '../io/csv.ts';
import { fileNameOf } from '../io/read-file.ts';
import { secondsOf } from './seconds-of.ts';

const POSE_COLUMNS = ['time', 'x', 'y', 'z', 'yaw', 'pitch'] as const;
const RADIANS = Math.PI / 180;
type Row = Record<(typeof POSE_COLUMNS)[number], number>;

/**
 * A camera path: a CSV of times of day (or seconds) and positions, with optional yaw to the left and pitch upwards in
 * degrees. Between rows, the camera moves linearly.
 * @returns the pose at a second
 * @throws CliError with the invalid rows
 */
export async function readPath(file: string, start: CameraPose): Promise<(second: number) => CameraPose> {
  const problems: Problem[] = [];
  const rows = (await readCsv(file, POSE_COLUMNS)).map(({ line, cells }): Row => {
    const number = (column: string, fallback?: number) => {
      const text = cells[column] ?? '';
      const value = (column === 'time' ? secondsOf(text) : undefined) ?? Number(text || Number.NaN);
      if (Number.isFinite(value)) return value;
      if (text === '' && fallback !== undefined) return fallback;
      problems.push({
        file: fileNameOf(file),
        line,
        column,
        reason: `invalid number${column === 'time' ? ' or time' : ''} "${text}"`,
      });
      return 0;
    };
    return {
      time: number('time'),
      x: number('x'),
      y: number('y', start.position.y),
      z: number('z'),
      yaw: number('yaw', 0),
      pitch: number('pitch', 0),
    };
  });
  if (rows.length === 0) problems.push({ file: fileNameOf(file), reason: 'no rows' });
  if (problems.length > 0)
    throw wrongError(
      `${fileNameOf(file)} isn't a valid path.`,
      `Use the columns ${POSE_COLUMNS.join(', ')}.`,
      problems,
    );
  const sorted = rows.toSorted((one, other) => one.time - other.time);
  return (second) => {
    const next = sorted.find(({ time }) => time >= second) ?? sorted.at(-1)!;
    const last = sorted.findLast(({ time }) => time <= second) ?? sorted[0]!;
    const part = next.time > last.time ? (second - last.time) / (next.time - last.time) : 0;
    const at = (name: keyof Row) => last[name] + (next[name] - last[name]) * part;
    const position = { x: at('x'), y: at('y'), z: at('z') };
    return { ...start, position, quaternion: quaternionOf(at('yaw') * RADIANS, at('pitch') * RADIANS) };
  };
}
