/** What the files of one part may import. */
interface PartRule {
  /** Parts it may import besides itself. */
  parts: readonly string[];
  /** Packages it must not import; a trailing slash or colon stands for everything that begins like that. */
  withoutPackages: readonly string[];
}

const SERVER_PACKAGES = ['node:', 'fs', 'path', 'fastify', '@fastify/', 'kysely', 'pg', 'sharp'];
const DRAWING_PACKAGES = ['three', 'three/', 'react', 'react-dom', 'react-dom/'];
/** Packages of the back-office, which visitors would wait for. */
const SCREEN_PACKAGES = ['@mantine/', 'quill', 'tweakpane', 'sortablejs', 'mobx', 'mobx-react-lite'];

const headless = [...SERVER_PACKAGES, ...DRAWING_PACKAGES, 'camera-controls', 'react-router-dom'];
const HEADLESS_ENGINE = ['engine/document', 'engine/machines', 'engine/scene', 'engine/visits'];
const ENGINE = [...HEADLESS_ENGINE, 'engine/stage', 'engine/tools'];

/** Every part of the project, by folder. A file belongs to the longest folder that holds it. */
export const IMPORT_RULES: Readonly<Record<string, PartRule>> = {
  'engine/document': { parts: [], withoutPackages: headless },
  'engine/machines': { parts: [], withoutPackages: headless },
  'engine/scene': { parts: ['engine/document', 'engine/machines'], withoutPackages: headless },
  'engine/visits': { parts: ['engine/document', 'engine/scene'], withoutPackages: headless },
  'engine/stage': {
    parts: ['engine/document', 'engine/scene'],
    withoutPackages: [...SERVER_PACKAGES, 'react', 'react-dom'],
  },
  'engine/tools': { parts: ENGINE, withoutPackages: SERVER_PACKAGES },
  'src/contract': { parts: ['engine/document'], withoutPackages: [...SERVER_PACKAGES, ...DRAWING_PACKAGES] },
  'src/server': { parts: ['src/contract', ...HEADLESS_ENGINE], withoutPackages: DRAWING_PACKAGES },
  'src/ui': { parts: ['src/contract', 'engine/document'], withoutPackages: SERVER_PACKAGES },
  'src/admin': { parts: ['src/ui', 'src/contract', ...ENGINE], withoutPackages: SERVER_PACKAGES },
  'src/editor': { parts: ['src/ui', 'src/contract', ...ENGINE], withoutPackages: SERVER_PACKAGES },
  'src/viewer': {
    parts: ['src/ui', 'src/contract', ...ENGINE],
    withoutPackages: [...SERVER_PACKAGES, ...SCREEN_PACKAGES],
  },
  // For users of the editor, who have these packages. Visitors load nothing of it: the viewer doesn't import it.
  'src/viewer/preview': {
    parts: ['src/viewer', 'src/ui', 'src/contract', ...ENGINE],
    withoutPackages: SERVER_PACKAGES,
  },
  // For staff at an entrance, on their phones.
  'src/check-in': { parts: ['src/ui', 'src/contract'], withoutPackages: [...SERVER_PACKAGES, ...SCREEN_PACKAGES] },
  'src/sdk': { parts: ['src/contract'], withoutPackages: ['zod', ...SERVER_PACKAGES, ...DRAWING_PACKAGES] },
  cli: { parts: ['cli/machine', 'src/contract', ...HEADLESS_ENGINE], withoutPackages: DRAWING_PACKAGES },
  'cli/machine': {
    parts: ['cli', 'src/server', 'src/contract', ...HEADLESS_ENGINE],
    withoutPackages: DRAWING_PACKAGES,
  },
};

/** Layers of the server, the lowest first. Files beside them start the program. */
export const SERVER_LAYERS = ['core', 'providers', 'features', 'pages', 'app'];

/** Features of the server, the most basic first. A feature may import only those listed before it. */
export const FEATURE_ORDER = [
  'webhooks',
  'media',
  'organizations',
  'posters',
  'users',
  'templates',
  'folders',
  'rooms',
  'translations',
  'revisions',
  'proposals',
  'blocks',
  'media-library',
  'feeds',
  'endpoints',
  'publications',
  'access-tokens',
  'check-in',
  'visits',
  'accessibility',
  'live-streams',
  'videos',
  'passkeys',
  'second-factors',
  'identity-providers',
  'api-keys',
  'account',
  'organization-settings',
  'mailings',
  'platforms',
  'structures',
  'translation-files',
  'static-sites',
  'learning',
  'reverting',
  'statistics',
  'imports',
  'tours',
  'iiif',
  'poster-drawing',
  'onboarding',
  'bulk',
  'history',
  'bin',
  'privacy',
  'audit',
];
