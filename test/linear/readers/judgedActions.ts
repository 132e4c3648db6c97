import { diskFiles } from '../../../src/adapters/files/diskFiles';
import { diskScripts } from '../../../src/adapters/scripts/diskScripts';
import { documents } from '../../../src/adapters/documents/documents';
import { ripgrepSearch } from '../../../src/adapters/search/ripgrep';
import { loadPowerShell } from '../../../src/adapters/scripts/powerShellParser';
import { shellDialects } from '../../../src/adapters/terminal/shells';
import { analyzers, assessWith } from '../../../src/core/security/analyzers';
import { commandShape } from '../../../src/core/shell/commandShape';
import { explainCommand } from '../../../src/core/security/explainCommand';
import { partNotReadOnly } from '../../../src/core/shell/onlyReads';
import { staysInShell } from '../../../src/core/shell/staysInShell';
import { programNames } from '../../../src/core/shell/programs/families';
import { mayRun } from '../../../src/core/security/scripts/mayRun';
import type { Environment } from '../../../src/core/ports/environment';
import type { Terminal } from '../../../src/core/ports/terminal';
import type { Tool } from '../../../src/core/ports/tool';
import { toolsFor } from '../../../src/core/tools/toolsFor';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';
import { inputsWith } from './inputsWith';
import type { Reader } from './readers';

const neverRun: Terminal = {
  run: () => Promise.reject(new Error('Nothing is run here.')),
  answer: () => Promise.reject(new Error('Nothing is run here.')),
  dispose: async () => {},
};

/** Files that a command line may refer to, besides those that a test creates. */
const scriptPaths = [
  'Makefile',
  'package.json',
  'justfile',
  's.sh',
  'a.py',
  'compose.yml',
  'p.patch',
  'requirements.txt',
];
const scriptCommands = [
  'make a',
  'npm run a',
  'just a',
  'bash s.sh',
  'python a.py',
  'docker compose up',
  'git apply p.patch',
  'pip install -r requirements.txt',
];

/** Tool calls with the text as each of their arguments, and shell commands, assessed as in a session. */
export async function judgedActions(): Promise<Reader[]> {
  const workspace = temporaryWorkspace();
  process.once('exit', () => workspace.stop());
  workspace.place('a', 'a\nb\nc\n');
  const environment = {
    root: workspace.root,
    files: diskFiles({ folders: [workspace.root] }),
    search: ripgrepSearch({ folders: [workspace.root] }),
    scripts: diskScripts(workspace.root, { most: longestScript }),
    documents,
    terminal: neverRun,
  };
  const tools = toolsFor({ toolsets: ['all'] });
  const byArgument = tools.flatMap((tool) =>
    inputsWith(tool.parameters).map(({ place, input }): Reader => ({
      name: `${tool.name}, ${place}`,
      read: (text) => judged(tool, input(text), environment),
    })),
  );
  const runCommand = tools.find(({ name }) => name === 'run_command')!;
  const powershell = await loadPowerShell();
  const shellNames = new Set([...shellDialects.map(({ name }) => name), 'cmd', 'powershell']);
  const byShell = [...shellNames].map((name): Reader => ({
    name: `command of ${name}`,
    read: (text) => explainCommand(text, { shell: name, powershell, workspace: workspace.root }),
  }));
  /** A script may be longer than a command, which is not read above 100,000 characters. */
  const inScript = (text: string): unknown =>
    explainCommand('bash s.sh', { workspace: workspace.root, lookUp: () => ({ standing: 'same', text }) });
  const byProgram = programNames().map((program): Reader => ({
    name: `words of ${program}`,
    read: (text) =>
      ['', '-e ', '-c ', '--x='].map((option) => inScript(`${program} ${option}'${text.replaceAll("'", '"')}'`)),
  }));
  const byScript = scriptPaths.map((path, index): Reader => ({
    name: `command that runs ${path}`,
    async read(text) {
      workspace.place(path, text);
      await judged(runCommand, { command: scriptCommands[index] }, environment);
      await mayRun(scriptCommands[index]!, { workspace: workspace.root }, environment.scripts);
      workspace.remove(path);
    },
  }));
  return [
    ...byArgument,
    ...byShell,
    ...byScript,
    { name: 'shape of a command', read: commandShape },
    { name: 'plan mode', read: (text) => partNotReadOnly(text, { workspace: workspace.root }) },
    { name: 'whether it stays in the shell', read: staysInShell },
    ...byProgram,
  ];
}

/** Bytes. Longer ones are not read when a hook or an MCP server is assessed, which has the highest limit. */
const longestScript = 1024 * 1024;

async function judged(tool: Tool, input: unknown, environment: Environment): Promise<void> {
  await assessWith(analyzers, { tool, call: tool.bind(input), environment, history: [] }, neverLate);
}

/**
 * Milliseconds. Slowness is found by CPU time instead of a timer, after which the work would continue beside the next
 * reader.
 */
const neverLate = 2 ** 31 - 1;
