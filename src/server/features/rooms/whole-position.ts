const POSITIONS = ['position_x', 'position_y', 'position_z'] as const;

/** Fields of an element that is placed: positions are floored to whole numbers. */
export function withWholePosition<T extends { [P in (typeof POSITIONS)[number]]?: number | undefined }>(fields: T): T {
  const whole = { ...fields };
  for (const name of POSITIONS) {
    const value = whole[name];
    if (value !== undefined) whole[name] = Math.floor(value) as T[typeof name];
  }
  return whole;
}
