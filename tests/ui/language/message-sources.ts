import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';

/** Modules whose sentences reach the back-office: in errors, reports, findings and logs of changes. */
export const MESSAGE_FILES = [
  'engine/document/**/*.ts',
  'src/contract/**/*.ts',
  'src/server/core/{files,http,html,limits}/**/*.ts',
  'src/server/features/**/*.ts',
  'src/server/providers/**/*.ts',
];
/** Modules whose sentences are for operators, visitors, recipients of e-mails or readers of the API description. */
const OTHERS =
  /contract\/accessibility|document\/difference|lint\/codes|openapi|stage-texts|third-parties|viewer-texts|poster-drawing|-measures|onboarding\/demo|users\/(?:passwords|email-links)|presence-batch|visits\/|organizations\/(?:life-cycle|further-hosts)|feeds\/jobs|import-measures|imports\/import-tokens|chromium|contract\/check-in-link/;
/** Calls whose strings are not shown in the back-office: descriptions, logs, metrics and errors of the program itself. */
const OTHER_CALLS = new Set(
  `describe gauge single counter histogram warn info error printError recordEvent send sendToCaller Counter Error Gauge
  OutcomeCounter TypeError register includes split Set degrees count moment tool logLine`.split(/\s+/),
);
/** Properties whose strings are not sentences for users. */
const OTHER_NAMES = new Set(['description', 'summary', 'help', 'purpose', 'label', 'note']);

// biome-ignore lint/suspicious/noExplicitAny: the tree is walked by field names.
type Node = Record<string, any>;

/** Whether a text is a sentence, maybe one that ends with a value. */
const isSentence = (text: string) =>
  /^(?:[“"(]?[A-Z\d]|\{\d+\}|[“"]\{)/.test(text) &&
  (/(?:[.?!]|[.:]\s?\{\d+\})$/.test(text) || /^The \{0\} /.test(text)) &&
  /\p{Ll}{2,} |\s\p{Ll}{2,}/u.test(text.replace(/\{\d+\}/g, '')) &&
  !/[<>\\_]|;(?! \p{Ll})|\S=|=\S/u.test(text.replace(/`\w+`|\{type\}|APP_DATA = \{ … \};|-->/g, ''));

/** The texts that a string or template can have, with its values as `{}`: one for each choice of words inside it. */
function textsOf(node: Node): string[] {
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : [];
  if (node.type === 'ConditionalExpression') {
    const branches = [node.consequent, node.alternate].map(textsOf);
    return branches.every((texts) => texts.length > 0) ? branches.flat() : [];
  }
  if (node.type !== 'TemplateLiteral') return [];
  return node.quasis.reduce(
    (made: string[], { value }: Node, at: number) => {
      const inside = at === 0 ? [''] : textsOf(node.expressions[at - 1]);
      const choices = inside.length > 0 ? inside : ['{}'];
      return made.flatMap((text) => choices.map((choice) => text + choice + value.cooked));
    },
    [''],
  );
}

const numbered = (text: string) => {
  let at = 0;
  return text.replace(/\{\}/g, () => `{${at++}}`);
};

/** Adds the messages of a module. */
function addMessages(file: string, found: Map<string, string>): void {
  const code = readFileSync(file, 'utf8');
  const visit = (node: Node | Node[] | null): void => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    if (!node || Array.isArray(node) || typeof node !== 'object' || !node.type) return;
    const { type } = node;
    if (type.startsWith('Import') || (type.startsWith('TS') && !node.expression)) return;
    if (type === 'Property' && OTHER_NAMES.has(node.key.name)) return;
    if (type === 'Literal' || type === 'TemplateLiteral')
      for (const text of textsOf(node).map(numbered))
        if (isSentence(text) && !found.has(text))
          found.set(text, `${file}:${code.slice(0, node.start).split('\n').length}`);
    if (type === 'CallExpression' || type === 'NewExpression') {
      const name = node.callee.name ?? node.callee.property?.name;
      visit(node.callee);
      if (!OTHER_CALLS.has(name)) visit(node.arguments);
      return;
    }
    for (const field of Object.values(node)) visit(field);
  };
  visit(parseSync(file, code).program.body as Node[]);
}

/** Every message of the server, the contract and the document that the back-office shows, with its place. */
export function sourceMessages(): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of MESSAGE_FILES.flatMap((pattern) => globSync(pattern)).sort())
    if (!OTHERS.test(file)) addMessages(file, found);
  return found;
}
