/**
 * Factor by which a cost grows when the size grows tenfold: the slope of the line through the points on logarithmic
 * scales, by least squares. 1 is flat, 10 proportional.
 * @param sizes at least two different ones
 */
export function growthOf(sizes: readonly number[], costs: readonly number[]): number {
  const x = sizes.map(Math.log10);
  const y = costs.map(Math.log10);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [middleX, middleY] = [mean(x), mean(y)];
  const rise = x.reduce((sum, value, at) => sum + (value - middleX) * (y[at]! - middleY), 0);
  const run = x.reduce((sum, value) => sum + (value - middleX) ** 2, 0);
  return 10 ** (rise / run);
}
