import { parseSync } from 'oxc-parser';

/** Attributes and properties whose strings are texts, whatever they look like. */
const TEXT_NAMES = new Set(
  `action addTitle addLabel alt aria-description aria-label aria-roledescription caption cells closeButtonLabel closeLabel
  clearLabel confirmLabel description doing done empty error failure group hint hoursInputLabel label legend message
  minutesInputLabel no nothingFound nothingFoundMessage noun nouns own placeholder prefixText problem question said sentence
  singular suffix summary text title tooltip usualLabel what when who word words yes`.split(/\s+/),
);
/** Attributes and properties whose strings are never texts. */
const CODE_NAMES = new Set(
  `accept area autoComplete blender className code color component data-own-keys download enfilade endings entity fontFamily href
  id key keyName keys listStyleType order panel path paths role sort src style to type unit unity url value valueFormat variant`.split(
    /\s+/,
  ),
);
/** Functions whose direct string arguments are never texts. */
const CODE_CALLS = new Set(
  `Error ownedBy say TypeError FontFace MouseEvent RegExp URL addEventListener closest createElement createPolicy getAttribute getContext
  getData matches matchMedia postMessage querySelector querySelectorAll removeEventListener replace replaceAll saveCsv screen
  setAttribute setData split startsWith endsWith includes storedText supportedValuesOf toDataURL useHotkeys useMediaQuery`.split(
    /\s+/,
  ),
);
/** Functions whose direct string arguments are texts, even single words in lower case. */
const TEXT_CALLS = new Set([
  'counted',
  'join',
  'countText',
  'listed',
  'showDone',
  'showNotification',
  'showProblemText',
  'setSaid',
]);

/** Constants whose strings are texts, by their names. */
const TABLES = /(?:^|_)(?:LABELS|MEANINGS|NAMES|WORDS)$/;

/** Attributes whose objects hold texts by codes. */
const LABELLED = new Set(['fields', 'names']);

/** A text in the sources. */
export interface SourceText {
  /** English text; `{0}` stands for its first value. */
  text: string;
  line: number;
  /** Whether it is a noun in the plural that is shown with its number. */
  isCounted: boolean;
}

/** A replacement in the source. */
export interface Edit {
  start: number;
  end: number;
  code: string;
}

/** A node of the syntax tree; its fields depend on its type. */
interface Node {
  type: string;
  start: number;
  end: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tree is walked by field names.
  [field: string]: any;
}

/** How a string is treated: as a text, as a text if it looks like one, or never. */
type Place = 'text' | 'plain' | 'code';

/** Strings that look like texts: identifiers, formats and words for programs. */
const NOT_TEXTS = new Set([
  ...[
    'gray',
    'teal',
    'red',
    'brass',
    'blue',
    'orange',
    'hidden',
    'ellipsis',
    'nowrap',
    'done {0}',
    'gallery {0}',
    'Ctrl',
    'Alt',
    'Shift',
    'element {0}',
    'draft {0}',
  ],
  ...[
    'screen {0}',
    'file {0}',
    'template {0}',
    'D MMM YYYY, HH:mm',
    'YYYY-MM-DD HH:mm',
    'Pasted.{0}',
    '{0} KB',
    '{0} MB',
  ],
  ...[
    '{0} GB',
    '{0} cm',
    ' cm',
    'Room #{0}',
    'XLIFF 2.1',
    'Enfilade',
    'Wowza',
    'Vimeo',
    'Youtube',
    'Instagram',
    'Picdrop',
  ],
  ...[
    'English',
    'Deutsch',
    'Français',
    'Nederlands',
    'Español',
    'Italiano',
    'Português',
    'Polski',
    '日本語',
    'العربية',
  ],
  ...['<br>', 'POST', 'HEAD', 'DELETE', 'INBOX', 'STARTTLS', 'https://'],
]);

/** Whether a string can be a text. */
const hasWord = (text: string) =>
  /\p{L}/u.test(text.replace(/\{\d+\}/g, '')) &&
  !NOT_TEXTS.has(text) &&
  !/^\w+(?:[.@]\w+)+$|^https:\/\/\S+$|\n {2}/.test(text);

/** Whether a string looks like a text: it begins with a capitalized word, or has several words and no code. */
function isSentence(text: string): boolean {
  if (/[<>=#_\\]|;\S|;$|\b[a-z]+\(|--|\w\/\w|^[.[]|^\S*\p{Ll}\p{Lu}\S*$|\b\d+(?:px|fr|vh)\b/u.test(text)) return false;
  return (
    /^(?:\{\d+\}[ :]?|[“("…])*[A-Z][\p{L}’'-]+(?:$|[\s,.:;…?!”)])/u.test(text) ||
    /^[A-Z0-9][^\s]* \p{L}{2}/u.test(text) ||
    /\p{Ll}{2,}[,.:;…]? (?:\p{Ll}|[“({\d])/u.test(text) ||
    /^\s?\{\d+\}[^\s]* \p{Ll}{2,}|^, ?\p{Ll}{2,}|^[“{].*\p{Ll}{3,}[.!?…]$/u.test(text)
  );
}

/** Collapses the white space of a text between tags, as React does. */
function collapsed(raw: string): string {
  const lines = raw.replaceAll('\r', '').split('\n');
  const parts = lines.map((line, at) => {
    const head = at === 0 ? line : line.replace(/^[ \t]+/, '');
    return at === lines.length - 1 ? head : head.replace(/[ \t]+$/, '');
  });
  return parts.filter(Boolean).join(' ');
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: '\u00a0', quot: '"', apos: "'" };
const decoded = (text: string) => text.replace(/&(\w+);/g, (all, name: string) => ENTITIES[name] ?? all);

const nameOf = (node: Node | undefined): string =>
  node?.type === 'JSXNamespacedName'
    ? `${node.namespace.name}:${node.name.name}`
    : String(node?.name ?? node?.value ?? node?.property?.name ?? '');

const TRANSPARENT = new Set([
  'JSXExpressionContainer',
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
]);

const isWord = ({ type, value }: Node): boolean => type === 'Literal' && /^\p{L}+$/u.test(String(value));

/** Finds the texts of a module and the edits that make them translatable. */
class Reader {
  readonly texts: SourceText[] = [];
  readonly edits: Edit[] = [];

  readonly code: string;

  constructor(code: string) {
    this.code = code;
  }

  #add(text: string, { start }: Node, isCounted = false): void {
    this.texts.push({ text, line: this.code.slice(0, start).split('\n').length, isCounted });
  }

  #replace(start: number, end: number, code: string): void {
    this.edits.push({ start, end, code });
  }

  visit(node: unknown, place: Place = 'plain'): void {
    if (Array.isArray(node)) for (const each of node) this.visit(each, place);
    else if (node && typeof node === 'object' && 'type' in node) this.#visitNode(node as Node, place);
  }

  #visitNode(node: Node, place: Place): void {
    const { type } = node;
    if (TRANSPARENT.has(type)) this.visit(node.expression, place);
    else if (type.startsWith('TS') || type === 'ImportDeclaration' || type === 'ImportExpression') return;
    else if (type === 'ExportAllDeclaration' || (type === 'ExportNamedDeclaration' && node.source)) return;
    else if (type === 'Literal') this.#visitLiteral(node, place);
    else if (type === 'TemplateLiteral') this.#visitTemplate(node, place);
    else if (type === 'TaggedTemplateExpression') this.visit(node.quasi.expressions);
    else if (type === 'JSXElement' || type === 'JSXFragment') this.#visitElement(node);
    else if (type === 'ConditionalExpression') this.#visitChoice(node, place);
    else if (type === 'LogicalExpression' || type === 'BinaryExpression') {
      const inside = type === 'LogicalExpression' || node.operator === '+' ? place : 'code';
      this.visit(node.left, node.operator === '&&' ? 'plain' : inside);
      this.visit(node.right, inside);
    } else if (type === 'ArrayExpression' || type === 'SpreadElement')
      this.visit(node.elements ?? node.argument, place);
    else if (type === 'ObjectExpression') this.visit(node.properties, place);
    else if (type === 'Property') this.#visitProperty(node, place);
    else if (type === 'CallExpression' || type === 'NewExpression') this.#visitCall(node);
    else if (type === 'MemberExpression') {
      this.visit(node.object, node.object.type === 'ObjectExpression' ? place : 'plain');
      if (node.computed) this.visit(node.property, 'code');
    } else if (type === 'SwitchCase') {
      this.visit(node.test, 'code');
      this.visit(node.consequent);
    } else if (type === 'ArrowFunctionExpression') {
      this.visit(node.params);
      this.visit(node.body, node.expression ? place : 'plain');
    } else if (type === 'VariableDeclarator') {
      this.visit(node.id);
      const isTable = node.init?.type === 'ObjectExpression' && TABLES.test(nameOf(node.id));
      this.visit(node.init, isTable ? 'text' : 'plain');
    } else if (type === 'ExpressionStatement' && node.directive) return;
    else for (const field of Object.values(node)) this.visit(field);
  }

  #visitLiteral(node: Node, place: Place): void {
    const { value } = node;
    if (typeof value !== 'string' || place === 'code' || !hasWord(value)) return;
    if (place === 'plain' && !isSentence(value)) return;
    this.#add(value, node);
    this.#replace(node.start, node.end, `$say(${JSON.stringify(value)})`);
  }

  #visitTemplate(node: Node, place: Place): void {
    const parts: string[] = node.quasis.map((quasi: Node) => quasi.value.cooked);
    const text = parts.map((part, at) => (at === 0 ? part : `{${at - 1}}${part}`)).join('');
    const isText = place !== 'code' && hasWord(text) && (place === 'text' || isSentence(text));
    this.visit(node.expressions, isText || (place === 'text' && !hasWord(text)) ? 'text' : 'plain');
    if (!isText) return;
    this.#add(text, node);
    const values: Node[] = node.expressions;
    if (values.length === 0) {
      this.#replace(node.start, node.end, `$say(${JSON.stringify(text)})`);
      return;
    }
    let from = node.start;
    for (const [at, value] of values.entries()) {
      this.#replace(from, value.start, at === 0 ? `$say(${JSON.stringify(text)}, ` : ', ');
      from = value.end;
    }
    this.#replace(from, node.end, ')');
  }

  /** "row" or "rows": the plural rules of the language decide. */
  #visitChoice(node: Node, place: Place): void {
    const { test, consequent, alternate } = node;
    const before = this.texts.length;
    // Only words follow the number: a sentence with the digit 1 is not for 0, which French counts as one.
    const isNumber = test.type === 'BinaryExpression' && test.operator === '===' && test.right.value === 1;
    const isOne = isNumber && isWord(consequent) && isWord(alternate);
    for (const branch of [consequent, alternate]) this.visit(branch, isOne ? 'text' : place);
    const hasTexts = this.texts.length > before;
    if (!hasTexts || !isOne) {
      this.visit(test);
      return;
    }
    this.visit(test.left);
    this.#replace(test.start, test.left.start, '$isOne(');
    this.#replace(test.left.end, test.end, ')');
  }

  #visitProperty(node: Node, place: Place): void {
    if (node.computed) this.visit(node.key, 'code');
    if (node.shorthand) {
      this.visit(node.value);
      return;
    }
    const name = nameOf(node.key);
    const isFunction = node.value.type === 'FunctionExpression';
    this.visit(
      node.value,
      isFunction ? 'plain' : CODE_NAMES.has(name) ? 'code' : TEXT_NAMES.has(name) ? 'text' : place,
    );
    if (name === 'nouns') this.#markCounted(node.value);
    // Names of tabs are keys, which are translated where they are shown.
    if (name === 'tabs' && node.value.type === 'ObjectExpression')
      for (const { key } of node.value.properties) this.#add(nameOf(key), key);
  }

  /** Notes that the text of a node is shown with its number. */
  #markCounted(node: Node): void {
    if (node.type === 'Literal' && typeof node.value === 'string') this.texts.at(-1)!.isCounted = true;
  }

  #visitCall(node: Node): void {
    const name = nameOf(node.callee);
    this.visit(node.callee);
    if (name === 'say' && typeof node.arguments[0]?.value === 'string') this.#add(node.arguments[0].value, node);
    const place = CODE_CALLS.has(name) ? 'code' : TEXT_CALLS.has(name) ? 'text' : 'plain';
    for (const argument of node.arguments) {
      this.visit(argument, place);
      if (name === 'countText') this.#markCounted(argument);
    }
  }

  #visitElement(node: Node): void {
    for (const attribute of node.openingElement?.attributes ?? []) {
      if (attribute.type === 'JSXSpreadAttribute') this.visit(attribute.argument);
      else this.#visitAttribute(attribute);
    }
    this.#visitChildren(node.children);
  }

  #visitAttribute({ name, value }: Node): void {
    if (!value) return;
    const label = nameOf(name);
    const isText =
      TEXT_NAMES.has(label) || (label === 'name' && value.type === 'Literal' && isSentence(String(value.value)));
    if (LABELLED.has(label) && value.expression?.type === 'ObjectExpression') {
      for (const property of value.expression.properties) this.visit(property.value, 'text');
      return;
    }
    if (value.type !== 'Literal') {
      this.visit(value, isText ? 'text' : 'code');
      return;
    }
    const text = decoded(value.value);
    if (!isText || !hasWord(text)) return;
    this.#add(text, value);
    this.#replace(value.start, value.end, `{$say(${JSON.stringify(text)})}`);
  }

  /** Texts between tags, with the tags and expressions between them, are one text. */
  #visitChildren(children: readonly Node[]): void {
    const parts = children
      .map((node) => ({ node, text: textOfChild(node) }))
      .filter(({ node, text }) => text !== '' && node.expression?.type !== 'JSXEmptyExpression');
    const isApart = (at: number, side: 'before' | 'after') => {
      const text = parts[side === 'before' ? at - 1 : at + 1]?.text;
      const isMarkup = /<\w/.test(this.code.slice(parts[at]!.node.start, parts[at]!.node.end));
      return (
        isMarkup && (text === null || text === undefined || !(side === 'before' ? /[\s(“]$/ : /^[\s.,;:)”]/).test(text))
      );
    };
    let first = 0;
    let last = parts.length - 1;
    while (first <= last && parts[first]!.text === null && isApart(first, 'after')) first++;
    while (last >= first && parts[last]!.text === null && isApart(last, 'before')) last--;
    const run = parts.slice(first, last + 1);
    let places = 0;
    const text = run.map(({ text }) => text ?? `{${places++}}`).join('');
    const isText = run.some(({ text }) => text !== null && hasWord(text));
    for (const { node, text } of parts)
      if (text === null) this.visit(node, node.type === 'JSXExpressionContainer' ? 'text' : 'plain');
    if (!isText) return;
    this.#add(text, run[0]!.node);
    const end = run.at(-1)!.node.end;
    if (places === 0) {
      this.#replace(run[0]!.node.start, end, `{$say(${JSON.stringify(text)})}`);
      return;
    }
    let from = run[0]!.node.start;
    let code = `{$join(${JSON.stringify(text)}, `;
    for (const { node } of run.filter(({ text }) => text === null)) {
      const value: Node = node.type === 'JSXExpressionContainer' ? node.expression : node;
      this.#replace(from, value.start, code);
      from = value.end;
      code = ', ';
    }
    this.#replace(from, end, ')}');
  }
}

/** The text of a child; null for another value. */
function textOfChild(node: Node): string | null {
  if (node.type === 'JSXText') return decoded(collapsed(node.value));
  if (node.type !== 'JSXExpressionContainer') return null;
  return typeof node.expression.value === 'string' ? node.expression.value : null;
}

/**
 * Reads the texts of a module and the edits that make them translatable.
 * @throws if the file cannot be parsed
 */
export function readTexts(file: string, code: string): Reader {
  const { program, errors } = parseSync(file, code);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const reader = new Reader(code);
  reader.visit(program.body);
  return reader;
}
