// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the tests hold source code.
import { describe, expect, test } from 'vitest';
import { textsOf, translatable } from '../../../vite.translated-texts.ts';

const texts = (code: string) => textsOf('Example.tsx', code).map(({ text }) => text);
const made = (code: string) => translatable('Example.tsx', code).replace(/^import [^;]*;/, '');

describe('texts of a module', () => {
  test('text between tags is one text with its expressions and elements as values', () => {
    const code = '<p>\n  Open <a href="/">the list</a> of {count} spaces.\n</p>';
    expect(texts(code).sort()).toEqual(['Open {0} of {1} spaces.', 'the list']);
    expect(made('<p>Hello {name}!</p>')).toBe('<p>{$join("Hello {0}!", name)}</p>');
    expect(made('<b>Save</b>')).toBe('<b>{$say("Save")}</b>');
  });

  test('icons beside a text stay outside it', () => {
    expect(made('<b>\n  <Icon />\n  Save\n</b>')).toBe('<b>\n  <Icon />{$say("Save")}</b>');
  });

  test('attributes and properties for texts count, others do not', () => {
    expect(texts('<Input label="Name" size="md" placeholder={isNew ? "new" : `${n} old`} />')).toEqual([
      'Name',
      'new',
      '{0} old',
    ]);
    expect(texts('const items = [{ label: "edit", path: "/Some path", type: "Big thing" }];')).toEqual(['edit']);
  });

  test('labels by code count, and names of tabs stay as they are', () => {
    expect(texts('<Field path="Some path" names={{ mark: "Mark", type: "arrow" }} />')).toEqual(['Mark', 'arrow']);
    expect(texts('<Fields fields={["some", "name"]} />')).toEqual([]);
    const form = "const form = { icon: Icon, tabs: { Content, 'Data feed': DataFeed } };";
    expect(texts(form)).toEqual(['Content', 'Data feed']);
    expect(made(form)).toBe(form);
  });

  test('sentences count wherever they are; code does not', () => {
    expect(texts('const text = () => "Not saved. Try again.";')).toEqual(['Not saved. Try again.']);
    expect(texts('throw new Error("There is no store above this part.");')).toEqual([]);
    expect(texts('if (key === "Enter" || css === "grid-area: 1 / 2") style("var(--line) solid");')).toEqual([]);
    expect(texts('import { Some } from "Some file";')).toEqual([]);
  });

  test('a choice between one and many follows the plural rules of the language', () => {
    expect(made('const text = `${n} ${n === 1 ? "row" : "rows"}`;')).toBe(
      'const text = `${n} ${$isOne(n) ? $say("row") : $say("rows")}`;',
    );
  });

  test('a template is one text, and texts in its values are texts of their own', () => {
    expect(made('const text = `Removed ${names.join(", ")} from ${isAll ? "all groups" : name}.`;')).toBe(
      'const text = $say("Removed {0} from {1}.", names.join(", "), isAll ? $say("all groups") : name);',
    );
  });

  test('nouns of lists are counted', () => {
    const [noun] = textsOf('example.ts', 'countText(2, "feeds");');
    expect(noun).toEqual({ text: 'feeds', line: 1, isCounted: true });
  });
});
