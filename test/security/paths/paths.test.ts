import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { diskFiles } from '../../../src/adapters/files/diskFiles';
import { diskScripts } from '../../../src/adapters/scripts/diskScripts';
import { ripgrepSearch } from '../../../src/adapters/search/ripgrep';
import { textVersion } from '../../../src/adapters/files/textVersion';
import { analyzers, assessWith } from '../../../src/core/security/analyzers';
import { FileProblem } from '../../../src/core/ports/files';
import type { Environment } from '../../../src/core/ports/environment';
import type { Tool, ToolResult } from '../../../src/core/ports/tool';
import { knownToolsets } from '../../../src/core/tools/toolsets';
import { canary, hostilePlace, type HostilePlace } from './hostile';
import { attempts, commandsFor, isOnlyForTools, mayBeRead } from './tools';
import { untouched } from '../../support/toolContext';

const tools = [...new Set(knownToolsets.flatMap(({ tools: some }) => some))];
// test/host/editor/editorCode.test.ts covers the tools that need a window.
const pathTools = tools.filter(
  ({ effect, name, needs }) =>
    needs === undefined &&
    (effect === 'reads' || effect === 'writes') &&
    !['session_search', 'todo', 'memory', 'use_skill', 'find_tools'].includes(name),
);
const commandTools = tools.filter(({ effect }) => effect === 'executes');

describe('a path in any spelling', function () {
  if (process.platform !== 'linux')
    return void it('is tested on Linux, where links and pipes can be created', function () {
      this.skip();
    });
  let place: HostilePlace;
  let environment: Environment;
  before(() => {
    place = hostilePlace();
  });
  after(() => place.stop());
  before(() => {
    const folders = [place.repository];
    environment = {
      root: place.repository,
      files: diskFiles({ folders }),
      search: ripgrepSearch({ folders }),
      scripts: diskScripts(place.repository),
      terminal: untouched.terminal,
    };
  });

  /** Pretends that every file has been read before, so that only the path can be refused. */
  const versionSeen = (name: string): string | undefined => {
    try {
      return textVersion(fs.readFileSync(path.resolve(place.repository, name), 'utf8'));
    } catch {
      return undefined;
    }
  };
  const firstLine = (name: string): string => {
    if (/pipe|^.proc/.test(name)) return 'plain text';
    try {
      return fs
        .readFileSync(path.resolve(place.repository, name.replace(/^file:\/\/(localhost)?/, '')), 'utf8')
        .split('\n')[0]!;
    } catch {
      return 'plain text';
    }
  };
  const levelOf = async (tool: Tool, input: unknown): Promise<string> =>
    (await assessWith(analyzers, { tool, call: tool.bind(input), environment, history: [] })).level;

  /** Returns the result of the tool without approval; `undefined` if it needs approval. */
  async function unasked(tool: Tool, input: unknown): Promise<ToolResult | FileProblem | undefined> {
    if (['high', 'unknown'].includes(await levelOf(tool, input))) return undefined;
    try {
      return await tool
        .bind(input)
        .run({ environment, signal: AbortSignal.timeout(5000), progress() {}, history: [], versionSeen });
    } catch (thrown) {
      if (thrown instanceof FileProblem) return thrown;
      return new FileProblem('not_permitted', String(thrown));
    }
  }

  it('is tested with every tool that takes paths', () => {
    assert.deepEqual([...new Set(pathTools.map(({ name }) => name))].sort(), Object.keys(attempts).sort());
  });

  for (const tool of pathTools) {
    const { reads, writes } = attempts[tool.name]!((name) => firstLine(name));
    if (reads) {
      it(`lets ${tool.name} read nothing that it must not see`, async () => {
        const shown: string[] = [];
        for (const spelling of place.spellings) {
          for (const input of reads(spelling.path)) {
            const result = await unasked(tool, input);
            if (!result || result instanceof FileProblem) continue;
            if (!mayBeRead[spelling.kind] && result.content.includes(canary))
              shown.push(`${JSON.stringify(input)}: ${result.content.slice(0, 80)}`);
          }
        }
        assert.deepEqual(shown, []);
      });
    }
    if (writes) {
      it(`lets ${tool.name} change nothing that it must not touch`, async () => {
        const before = place.untouchable();
        const names = place.everyName();
        const done: string[] = [];
        for (const spelling of place.spellings.filter(({ kind }) => kind !== 'plain')) {
          for (const input of writes(spelling.path)) {
            const result = await unasked(tool, input);
            if (result && !(result instanceof FileProblem) && !result.failed) done.push(JSON.stringify(input));
          }
        }
        assert.deepEqual(done, []);
        assert.deepEqual(place.untouchable(), before);
        assert.deepEqual(place.everyName(), names);
      });
    }
  }

  it('is asked about in commands as well', async () => {
    const silent: string[] = [];
    for (const tool of [commandTools.find(({ name }) => name === 'run_command')!]) {
      for (const { path: spelled, kind } of place.spellings.filter(
        (each) => each.kind !== 'plain' && !isOnlyForTools(each.path),
      )) {
        const commands = [
          ...(mayBeRead[kind] || kind === 'special' ? [] : commandsFor.reads(spelled)),
          ...(kind === 'special' ? [] : commandsFor.writes(spelled)),
        ];
        for (const command of commands) if ((await levelOf(tool, { command })) !== 'high') silent.push(command);
      }
    }
    assert.deepEqual(silent, []);
  });

  it('is asked about if only the shell, a pattern or the current folder leads to it', async () => {
    const run = commandTools.find(({ name }) => name === 'run_command')!;
    const silent: string[] = [];
    for (const command of [
      'cat vendor/../outside/secret.txt',
      'cd vendor && cat secret.txt',
      'cd history && echo x > config',
      'cd src/up && cat outside/secret.txt',
      'cd vendor && cat ../outside/secret.txt',
      'cat *.txt',
      'cat src/*',
      'head -1 */secret.txt',
      'sed -i s/a/b/ r*.md',
      'echo x > dangling.txt',
      'rm -r vendor/secret.txt',
      'rm history/config',
      'cp src/a.ts history/',
      'grep -rn x vendor',
      'grep -rn x src/up/outside',
      'cd src && cat $PWD/../../outside/secret.txt',
      'cd src/nested && cat $(pwd)/../../../outside/secret.txt',
      'cd src && cat "$(git rev-parse --show-toplevel)/../outside/secret.txt"',
      `cd src && cat ${place.repository}/../outside/secret.txt`,
      `cd src && echo x > ${place.repository}/../outside/secret.txt`,
      'ls vendor/ && cat vendor/*',
      'wc -l lib/up/outside/secret.txt',
      'diff src/a.ts src/chained.ts',
    ])
      if ((await levelOf(run, { command })) !== 'high') silent.push(command);
    assert.deepEqual(silent, []);
    const asked: string[] = [];
    for (const command of [
      'cat lib/a.ts',
      'grep -rn x src',
      'cat src/nested/*',
      'ls',
      'ls vendor',
      'cd src && cat nested/b.ts',
      `cat ${place.repository}/src/a.ts`,
      'cd src && cat $PWD/a.ts',
    ])
      if ((await levelOf(run, { command })) === 'high') asked.push(command);
    assert.deepEqual(asked, []);
  });

  it('is neither asked about nor refused if it is harmless', async () => {
    const asked: string[] = [];
    for (const { path: spelled } of place.spellings.filter(({ kind }) => kind === 'plain')) {
      const read = await unasked(
        tools.find(({ name }) => name === 'read_file')!,
        { path: spelled },
      );
      if (!read || read instanceof FileProblem || !read.content.includes('plain text'))
        asked.push(`read ${spelled}: ${String(read)}`);
      const written = await unasked(
        tools.find(({ name }) => name === 'write_file')!,
        { path: spelled, content: 'plain text\nand more\n' },
      );
      if (!written || written instanceof FileProblem || written.failed)
        asked.push(`write ${spelled}: ${String((written as ToolResult | undefined)?.content)}`);
      const command = `cat ${commandsFor.reads(spelled)[0]!.slice(4)}`;
      if (
        !spelled.includes('%') &&
        (await levelOf(
          commandTools.find(({ name }) => name === 'run_command')!,
          { command },
        )) !== 'low'
      )
        asked.push(command);
    }
    assert.deepEqual(asked, []);
  });
});
