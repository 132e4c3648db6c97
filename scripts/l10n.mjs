// Writes l10n/bundle.l10n.json: every user-visible text to translate, from `vscode.l10n.t(…)` in the extension and from
// the views' word lists. A language is a copy of it, l10n/bundle.l10n.<language>.json, with translated values;
// package.nls.<language>.json translates package.nls.json. Removes obsolete texts from the languages, and names those
// that are missing.
//   node scripts/l10n.mjs
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { at, root } from './repository.mjs';

/** Returns the current bundle for the clone at `folder`, sorted by text. */
export function bundleText(folder) {
  const sources = path.join(folder, 'src/extension');
  const extension = fs
    .readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => textsOf(path.join(sources, name)));
  const all = [...new Set([...extension, ...wordLists.flatMap((name) => viewTexts(path.join(folder, name)))])].sort();
  return `${JSON.stringify(Object.fromEntries(all.map((text) => [text, text])), null, 2)}\n`;
}

const parse = (file) => ts.createSourceFile(file, fs.readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);

/** Returns the first arguments of `vscode.l10n.t`. One that is not a plain string could not be translated. */
function textsOf(file) {
  const found = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'vscode.l10n.t') {
      const [first] = node.arguments;
      if (!first || !ts.isStringLiteralLike(first))
        throw new Error(`${path.basename(file)}: "${node.getText()}" has no text that can be read without running it.`);
      found.push(first.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return found;
}

/** Files with the texts of the views. */
const wordLists = [
  'webview-ui/base/english.ts',
  'webview-ui/inspector/state/english.ts',
  'webview-ui/base/callWords.ts',
];

/** Returns the values of the single object that such a file exports. */
function viewTexts(file) {
  const found = [];
  const visit = (node) => {
    if (ts.isPropertyAssignment(node) && ts.isStringLiteralLike(node.initializer)) found.push(node.initializer.text);
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return found;
}

/** Returns the languages besides English in the clone at `folder`, as VS Code names them. */
export function languagesOf(folder) {
  return fs
    .readdirSync(path.join(folder, 'l10n'))
    .map((name) => /^bundle\.l10n\.(.+)\.json$/.exec(name)?.[1])
    .filter((language) => language !== undefined)
    .sort();
}

/** Returns English texts and their translations: `english` and `translated` by key, for the two files of a language. */
export function translationsOf(folder, language) {
  const read = (name) => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));
  return [
    ['l10n/bundle.l10n.json', `l10n/bundle.l10n.${language}.json`],
    ['package.nls.json', `package.nls.${language}.json`],
  ].map(([source, file]) => ({ file, english: read(source), translated: read(file) }));
}

/**
 * Returns what a translation must keep of a text: placeholders, code, addresses and the ellipsis of a command that asks
 * for more.
 */
export function fixedParts(text) {
  const parts = text.match(/\{\w+\}|\$\{[\w:]+\}|`[^`]+`|\((?:command|https?):[^)]*\)|#waymark[\w.]*#|…$/g) ?? [];
  return parts.sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  fs.mkdirSync(at('l10n'), { recursive: true });
  fs.writeFileSync(at('l10n/bundle.l10n.json'), bundleText(root));
  for (const language of languagesOf(root)) {
    for (const { file, english, translated } of translationsOf(root, language)) {
      const known = Object.keys(english).filter((key) => translated[key] !== undefined);
      fs.writeFileSync(
        at(file),
        `${JSON.stringify(Object.fromEntries(known.map((key) => [key, translated[key]])), null, 2)}\n`,
      );
      for (const key of Object.keys(english)) if (!known.includes(key)) console.log(`${file} lacks: ${key}`);
    }
  }
}
