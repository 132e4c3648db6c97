import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import type { SessionEvent, Waymark } from '../../../api/waymark';
import type { EventOf } from '../../../src/protocol/events/event';

const root = process.env.REPOSITORY!;
const read = (name: string) => fs.readFileSync(path.join(root, name), 'utf8');

// Checked by the compiler: `activate` returns the declared API, and each declared event is an event of the log.
type Activated = ReturnType<typeof import('../../../src/extension/extension').activate>;
type Declared<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>;
type Undeclared = {
  [Type in SessionEvent['type']]: EventOf<Type> & { readonly session: string } extends Declared<Type> ? never : Type;
}[SessionEvent['type']];
const agree: {
  activated: Activated extends Waymark ? (Waymark extends Activated ? true : false) : false;
  events: [Undeclared] extends [never] ? true : Undeclared;
} = { activated: true, events: true };

/** Returns the compiler errors for `source`, with only the published file available. */
function complaints(source: string): string[] {
  const folder = path.join(root, 'out/example');
  const files: Record<string, string> = {
    [path.join(folder, 'extension.ts')]: source,
    [path.join(folder, 'waymark.d.ts')]: read('api/waymark.d.ts'),
  };
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    noEmit: true,
    types: ['node', 'vscode'],
    typeRoots: [path.join(root, 'node_modules/@types')],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.directoryExists = (name) => name === folder || ts.sys.directoryExists(name);
  host.fileExists = (name) => name in files || fileExists(name);
  host.readFile = (name) => files[name] ?? readFile(name);
  host.getSourceFile = (name, version, ...rest) =>
    name in files ? ts.createSourceFile(name, files[name]!, version, true) : getSourceFile(name, version, ...rest);
  const program = ts.createProgram(Object.keys(files), options, host);
  return Object.keys(files).flatMap((name) => {
    const file = program.getSourceFile(name)!;
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ messageText }) => `${path.basename(name)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
  });
}

describe('the published types', function () {
  this.timeout(120_000);
  const [example = ''] = /(?<=```ts\n)[\s\S]*?(?=```)/.exec(read('docs/extend/extensions.md')) ?? [];

  it('match what is exported and the log', () => assert.deepEqual(agree, { activated: true, events: true }));

  it('import nothing', () => {
    assert.deepEqual(ts.preProcessFile(read('api/waymark.d.ts')).importedFiles, []);
  });

  it('are enough to compile the example in the docs', () => {
    assert.match(example, /registerTool/);
    assert.deepEqual(complaints(example), []);
  });

  it('do not let an extension start a task that asks nothing', () => {
    assert.match(complaints(example.replace("mode: 'plan'", "mode: 'auto'")).join(), /Type '"auto"' is not assignable/);
  });

  it('are in the package', () => {
    assert.ok(read('.vscodeignore').split('\n').includes('!api/waymark.d.ts'));
  });
});

describe('the tools for other agents', () => {
  it('are declared in the manifest as in the code', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [path.join(root, 'scripts/tables/languageModelTools.mjs'), '--check'],
      { encoding: 'utf8' },
    );
    assert.equal(status, 0, stderr);
  });
});
