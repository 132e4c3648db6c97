// Writes l10n/bundle.l10n.json: every text that a person may read and that a translator needs, from
// `vscode.l10n.t(…)` in the extension and from the views' lists of words. A language is a copy of it,
// l10n/bundle.l10n.<language>.json, with translated values.
//   node scripts/l10n.mjs
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { at, root } from './repository.mjs';

/** The bundle as it should be for the clone at `folder`, sorted by text. */
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

/** First arguments of `vscode.l10n.t`. One that is not a plain string could not be translated. */
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

/** Where the views have their words. */
const wordLists = [
  'webview-ui/base/english.ts',
  'webview-ui/inspector/state/english.ts',
  'webview-ui/base/callEnglish.ts',
];

/** Values of the one object that such a file exports. */
function viewTexts(file) {
  const found = [];
  const visit = (node) => {
    if (ts.isPropertyAssignment(node) && ts.isStringLiteralLike(node.initializer)) found.push(node.initializer.text);
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  fs.mkdirSync(at('l10n'), { recursive: true });
  fs.writeFileSync(at('l10n/bundle.l10n.json'), bundleText(root));
}
