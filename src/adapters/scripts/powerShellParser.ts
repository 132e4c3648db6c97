import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SyntaxNode } from '../../core/ports/scripts';

const require = createRequire(import.meta.url);
let loaded: Promise<(text: string) => SyntaxNode> | undefined;

/** Loads the PowerShell parser: 1.4 MB, loaded with the first such command. Throws if its files are missing. */
export const loadPowerShell = (): Promise<(text: string) => SyntaxNode> => (loaded ??= loadGrammar('powershell'));

/** Loads a grammar by name. Only PowerShell's is shipped; the tests compare the bash grammar with our parser. */
export async function loadGrammar(language: string): Promise<(text: string) => SyntaxNode> {
  const folder = grammars();
  const runtime = ['tree-sitter.cjs', 'tree-sitter.js']
    .map((name) => path.join(folder, name))
    .find((file) => fs.existsSync(file));
  if (runtime === undefined) throw missingParserError();
  const { Parser, Language } = require(runtime) as typeof import('@vscode/tree-sitter-wasm');
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(
    await Language.load(new Uint8Array(fs.readFileSync(path.join(folder, `tree-sitter-${language}.wasm`)))),
  );
  let tree: ReturnType<typeof parser.parse> = null;
  return (text) => {
    // Trees occupy the parser's memory; each is judged before the next is parsed.
    tree?.delete();
    tree = parser.parse(text);
    if (!tree) throw new Error('The parser gave up.');
    return tree.rootNode;
  };
}

const missingParserError = (): Error =>
  new Error('The PowerShell parser is missing from this installation, so PowerShell commands cannot be assessed.');

/** Bundles are at different depths below the folder that contains `wasm` or `node_modules`. */
function grammars(): string {
  const from = path.dirname(fileURLToPath(import.meta.url));
  const places = [0, 1, 2, 3, 4, 5, 6]
    .map((levels) => path.resolve(from, ...Array<string>(levels).fill('..')))
    .flatMap((base) => [path.join(base, 'wasm'), path.join(base, 'node_modules/@vscode/tree-sitter-wasm/wasm')]);
  const found = places.find((place) => fs.existsSync(path.join(place, 'tree-sitter.wasm')));
  if (found === undefined) throw missingParserError();
  return found;
}
