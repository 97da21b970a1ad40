/** Parts of the benchmark that can be run alone. */
export type BenchName =
  | 'scene'
  | 'first-load'
  | 'http'
  | 'tokens'
  | 'token-search'
  | 'presence'
  | 'editing'
  | 'screens'
  | 'stage'
  | 'tours'
  | 'visits'
  | 'statistics'
  | 'uploads'
  | 'growth'
  | 'memory';

/** A measured row and the values it must reach. */
export interface Row {
  /** ID: a number and a letter for a job of the table, with words for its parts and for further measurements. */
  id: string;
  job: string;
  unit: string;
  /** Whether a larger value is better. */
  isMoreBetter?: boolean;
  target?: number;
  moonshot?: number;
  /** What measures it. */
  bench?: BenchName;
  /** Why it isn't measured yet, or why its target doesn't count yet. */
  later?: string;
  /** Whether missing the target fails every run, also the quick one. */
  isRequired?: boolean;
  /** How much worse than the baseline it may be, in its unit, whatever the ratio says. */
  slack?: number;
}

/** The jobs with targets. Each must have at least one row with the same number and letter. */
export const JOBS = '1 1b 1c 1d 2 2b 2c 3 3b 3c 4 4b 5 5b 6 6b 7 7b 8 9 10'.split(' ');

const ratio = '×';

/** Every row, in the order in which it is printed. */
export const ROWS: readonly Row[] = [
  ...[
    { id: '1', job: 'scene tick, 10,000 elements all moving, to bare bitecs', target: 0.85, moonshot: 0.6 },
    { id: '1b', job: '1 in 100 moving', target: 0.1, moonshot: 0.06 },
    { id: '1c', job: '10,000 mixed', target: 0.28, moonshot: 0.2 },
    { id: '1c all', job: '100,000 all moving', target: 0.75, moonshot: 0.55 },
    { id: '1c few', job: '100,000, 1 in 100 moving', target: 0.17, moonshot: 0.1 },
  ].map((row): Row => ({ ...row, unit: ratio, bench: 'scene' })),
  {
    id: '1d',
    job: 'heap left by a steady tick',
    unit: 'bytes',
    target: 0,
    moonshot: 0,
    bench: 'scene',
    slack: 8,
  },
  ...[
    { id: '2', job: '360° page in full, loopback, to three.js', target: 0.95, moonshot: 0.88 },
    { id: '2 phone', job: '360° page in full, 9 Mbit/s, to three.js', target: 0.93, moonshot: 0.88 },
    { id: '2b', job: 'first picture, loopback, to three.js', target: 0.45, moonshot: 0.35 },
    { id: '2b phone', job: 'first picture, 9 Mbit/s, to three.js', target: 0.18, moonshot: 0.15 },
  ].map((row): Row => ({ ...row, unit: ratio, bench: 'first-load' })),
  ...[
    { id: '2c', job: 'JavaScript before the first picture, brotli', target: 3, moonshot: 2 },
    { id: '2c full', job: 'JavaScript before the full frame, brotli', target: 150, moonshot: 137 },
  ].map((row): Row => ({ ...row, unit: 'kB', bench: 'first-load' })),
  ...[
    { id: '3', job: 'room of 100 elements, server CPU, to stored text', target: 1.2, moonshot: 1.5 },
    { id: '3b', job: 'list of 20, server CPU, to Fastify from rows', target: 0.9, moonshot: 1.5 },
    { id: '3c', job: 'page of that room, server CPU, to its API', target: 0.8, moonshot: 0.95 },
  ].map((row): Row => ({ ...row, unit: ratio, isMoreBetter: true, bench: 'http' })),
  ...[
    { id: '4', job: 'tokens from CSV to PostgreSQL, to psql \\copy', target: 1, moonshot: 1.35 },
    { id: '4b', job: 'tokens from CSV to SQLite, to a prepared loop', target: 0.95, moonshot: 1.4 },
  ].map((row): Row => ({ ...row, unit: ratio, isMoreBetter: true, bench: 'tokens' })),
  { id: '4 memory', job: 'peak memory of the command line', unit: 'MB', target: 200, bench: 'tokens' },
  {
    id: '5',
    job: 'presence, 1,000 visitors, server CPU, to bare batches',
    unit: ratio,
    target: 1.1,
    moonshot: 1.05,
    bench: 'presence',
  },
  { id: '5b', job: 'bytes per visitor, to bare batches', unit: ratio, target: 1.02, moonshot: 0.85, bench: 'presence' },
  {
    id: '5 delivered',
    job: 'positions that arrive',
    unit: '%',
    isMoreBetter: true,
    target: 99.5,
    bench: 'presence',
  },
  { id: '5 delay', job: '99 % of positions within', unit: 'ms', target: 70, bench: 'presence' },
  { id: '5 many', job: 'presence, 3,000 visitors, server CPU', unit: ratio, target: 1.16, bench: 'presence' },
  ...[
    { id: '6', job: 'frame of dragging 1 of 2,000, to plain boxes', target: 0.8, moonshot: 0.3 },
    { id: '6 pictures', job: 'frame of dragging 1 of 2,000, to plain pictures', target: 0.5, moonshot: 0.3 },
  ].map((row): Row => ({ ...row, unit: ratio, bench: 'screens' })),
  ...[
    { id: '6b', job: '2,000 different images: draw calls', unit: 'calls', target: 60, moonshot: 20 },
    { id: '6b textures', job: '2,000 different images: GPU bytes', unit: 'MB', target: 150, moonshot: 100 },
    {
      id: '6b first',
      job: 'their first frame, to that of 20 images',
      unit: ratio,
      target: 1.2,
      moonshot: 1,
      slack: 0.3,
    },
    { id: '6b frame', job: 'a frame among them, to as many plain meshes', unit: ratio, target: 0.5, moonshot: 0.3 },
    { id: '6b walks', job: 'memory after three more walks past them', unit: ratio, target: 1.05, moonshot: 1 },
  ].map((row): Row => ({ ...row, bench: 'stage' })),
  {
    id: '7',
    job: 'edit at another editor’s socket, 20 editors, 95 %',
    unit: 'ms',
    target: 30,
    moonshot: 16,
    bench: 'editing',
    slack: 10,
  },
  {
    id: '7 two',
    job: 'the same on two servers, PostgreSQL and NATS',
    unit: 'ms',
    target: 30,
    moonshot: 16,
    bench: 'editing',
    slack: 10,
  },
  { id: '7 canvas', job: 'edit on another editor’s canvas, 95 %', unit: 'ms', target: 250, bench: 'editing' },
  {
    id: '7b',
    job: 'server CPU of that edit, to a bare transaction',
    unit: ratio,
    target: 15,
    moonshot: 6,
    bench: 'editing',
  },
  { id: '8', job: 'tour: press → next picture', unit: 'ms', target: 150, moonshot: 60, bench: 'tours', slack: 50 },
  { id: '8 full', job: 'tour: full picture, to pannellum', unit: ratio, target: 1, moonshot: 0.85, bench: 'tours' },
  {
    id: '8 memory',
    job: 'tour: memory after three rounds, to that after one',
    unit: ratio,
    target: 1.05,
    moonshot: 1,
    bench: 'tours',
  },
  ...[
    { id: '9', job: 'textures of uploaded models, GPU bytes left', target: 0.35, moonshot: 0.2 },
    { id: '9 images', job: 'uploaded images, file bytes left', target: 0.4, moonshot: 0.25 },
  ].map((row): Row => ({ ...row, unit: ratio, bench: 'uploads' })),
  {
    id: '9 likeness',
    job: 'SSIM of optimized images',
    unit: '',
    isMoreBetter: true,
    target: 0.97,
    bench: 'uploads',
  },
  ...[
    { id: '10', job: 'longest task, list of 5,270 structures' },
    { id: '10 spaces', job: 'longest task, list of 2,000 spaces' },
    { id: '10 tokens', job: 'longest task, list of 100,000 tokens' },
  ].map((row): Row => ({ ...row, unit: 'ms', target: 50, moonshot: 16, bench: 'screens', slack: 20 })),
  {
    id: '10 media list',
    job: 'slowest answer, list of 10,000 files',
    unit: 'ms',
    target: 100,
    moonshot: 16,
    bench: 'screens',
    slack: 20,
  },
  {
    id: '10 search',
    job: 'server’s longest task, search in 1,000,000 tokens',
    unit: 'ms',
    target: 50,
    moonshot: 16,
    bench: 'token-search',
    slack: 20,
  },
  {
    id: '10 import',
    job: 'server’s longest task while importing them',
    unit: 'ms',
    target: 100,
    moonshot: 16,
    bench: 'token-search',
    slack: 50,
  },
  ...[
    { id: 'tree', job: 'longest task, tree of 5,000 elements', target: 100, slack: 20 },
    { id: 'saved', job: 'longest task, 1 of 2,000 elements dropped', target: 50, slack: 20 },
    { id: 'saved all', job: 'longest task, all of 2,000 elements dropped', target: 100, slack: 50 },
  ].map((row): Row => ({ ...row, unit: 'ms', bench: 'screens' })),
  ...[
    { id: 'drag all', job: 'frame of dragging all of 2,000, to plain boxes' },
    { id: 'drag all pictures', job: 'frame of dragging all of 2,000, to plain pictures' },
  ].map((row): Row => ({ ...row, unit: ratio, target: 2.5, bench: 'screens' })),
  ...[
    { id: 'poster gallery', job: 'poster and title of /gallery at 400 kbit/s' },
    { id: 'poster lake', job: 'poster and title of /lake at 400 kbit/s' },
  ].map((row): Row => ({ ...row, unit: 'ms', target: 2000, bench: 'visits' })),
  { id: 'idle', job: 'main thread of an idle room', unit: '%', target: 2, bench: 'visits', slack: 1 },
  ...['SQLite', 'PostgreSQL'].flatMap((database): Row[] => [
    {
      id: `hour ${database}`,
      job: `an hour of statistics counted, ${database}, to a scan`,
      unit: ratio,
      target: 3,
      bench: 'statistics',
      slack: 0.3,
    },
    {
      id: `report ${database}`,
      job: `the slowest report, ${database}, to a scan`,
      unit: ratio,
      target: 0.5,
      bench: 'statistics',
      slack: 0.2,
    },
  ]),
  ...[
    { id: 'growth edit', job: 'growth of an edit, 100 → 20,000 elements' },
    { id: 'growth list', job: 'growth of a list page, 100 → 100,000 rows' },
    { id: 'growth visit', job: 'growth of a visit, 10 → 5,000 structures' },
    { id: 'growth tick', job: 'growth of a tick per moving element, 1,000 → 100,000' },
  ].map((row): Row => ({ ...row, unit: '× per 10', target: 1.2, moonshot: 1, bench: 'growth' })),
  {
    id: 'leak',
    job: 'server heap left by 10,000 requests, 200 room changes',
    unit: 'MB',
    target: 1,
    moonshot: 0,
    bench: 'memory',
    isRequired: true,
    slack: 1,
  },
  ...[
    { id: 'server', job: 'server at rest, resident, to bare Fastify', unit: ratio, slack: 0.5 },
    { id: 'heap', job: 'server at rest, heap, to bare Fastify', unit: ratio, slack: 1 },
    { id: 'editor', job: 'server heap per open editor', unit: 'kB', slack: 50 },
    { id: 'visitor', job: 'server heap per visitor', unit: 'kB', slack: 20 },
    { id: 'room', job: 'server heap per cached room of 100 elements', unit: 'kB', slack: 100 },
    { id: 'lake heap', job: 'viewer’s heap, panorama, to plain three.js', unit: ratio, slack: 1 },
    { id: 'lake gpu', job: 'viewer’s GPU bytes, panorama, to plain three.js', unit: ratio, slack: 0.1 },
    ...['gallery', 'night', 'cinema', 'hours', 'observatory', 'workshop'].flatMap((name) => [
      { id: `${name} heap`, job: `viewer’s heap, ${name}`, unit: 'MB', slack: 5 },
      { id: `${name} gpu`, job: `viewer’s GPU bytes, ${name}`, unit: 'MB', slack: 5 },
    ]),
  ].map((row): Row => ({ ...row, bench: 'memory' })),
];

/** The number and letter of a row's job. */
export const jobOf = ({ id }: Row): string => id.split(' ')[0]!;
