import assert from 'node:assert/strict';
import fs from 'node:fs';
import { diskFiles } from '../../src/adapters/files/diskFiles';
import { diskScripts } from '../../src/adapters/scripts/diskScripts';
import { undecidedActions } from '../../src/core/log/openActions';
import { analyzers, assessWith } from '../../src/core/security/analyzers';
import { assessCommand } from '../../src/core/shell/assessCommand';
import { applyPatch } from '../../src/core/tools/native/applyPatch';
import { editFile } from '../../src/core/tools/native/editFile';
import { patch } from '../../src/core/tools/hermes/patch';
import { fileEditor } from '../../src/core/tools/openhands/fileEditor';
import type { Tool } from '../../src/core/ports/tool';
import { writeFile } from '../../src/core/tools/native/writeFile';
import { pinsAtStart } from '../../src/core/security/scripts/pins';
import { runCommand } from '../../src/core/tools/native/runCommand';
import { begin, call, plays, says } from '../core/agent/story';
import { temporaryWorkspace } from '../support/temporaryWorkspace';
import { untouched } from '../support/toolContext';

const manifest = `{
  "name": "one",
  "version": "1.0.0",
  "scripts": {
    "lint": "eslint .",
    "test": "vitest run"
  },
  "dependencies": { "zod": "4.0.0" }
}
`;

const inFolder = async (
  use: (world: {
    root: string;
    write(name: string, text: string): void;
    text(name: string): string | undefined;
    assess(tool: Tool, input: unknown): ReturnType<typeof assessWith>;
  }) => Promise<void>,
): Promise<void> => {
  const workspace = temporaryWorkspace();
  try {
    const write = (name: string, text: string): void => fs.writeFileSync(workspace.at(name), text);
    write('package.json', manifest);
    const environment = {
      root: workspace.root,
      files: diskFiles({ folders: [workspace.root] }),
      search: untouched.search,
      terminal: untouched.terminal,
      scripts: diskScripts(workspace.root),
    };
    await use({
      root: workspace.root,
      write,
      text: (name) => workspace.bytes(name)?.toString(),
      assess: (tool, input) => assessWith(analyzers, { tool, call: tool.bind(input), environment, history: [] }),
    });
  } finally {
    workspace.stop();
  }
};

const test = { from: '"vitest run"', to: '"sh ./x.sh"' };
const unified = (from: string, to: string): string =>
  `--- a/package.json\n+++ b/package.json\n@@ -5,3 +5,3 @@\n     "lint": "eslint .",\n-    "test": ${from}\n+    "test": ${to}\n   },\n`;

describe('an edit of package.json', () => {
  const ways: readonly (readonly [string, Tool, unknown])[] = [
    ['edit_file', editFile, { path: 'package.json', edits: [{ old_text: test.from, new_text: test.to }] }],
    [
      'edit_file in small pieces',
      editFile,
      {
        path: './package.json',
        edits: [
          { old_text: 'vitest ', new_text: 'sh ' },
          { old_text: 'sh run', new_text: 'sh ./x.sh' },
        ],
      },
    ],
    ['apply_patch', applyPatch, { patch: unified(test.from, test.to) }],
    ['file_editor', fileEditor, { command: 'str_replace', path: 'package.json', old_str: test.from, new_str: test.to }],
    [
      'file_editor that inserts',
      fileEditor,
      { command: 'insert', path: 'package.json', insert_line: 4, new_str: '    "test ": "true",\n    "x": "sh x",' },
    ],
    ['patch', patch, { path: 'PACKAGE.json'.toLowerCase(), old_string: test.from, new_string: test.to }],
  ];
  for (const [name, tool, input] of ways) {
    it(`is high risk if it changes a script, and names the script, by ${name}`, () =>
      inFolder(async ({ assess, text }) => {
        const { level, reasons, guarded } = await assess(tool, input);
        assert.equal(level, 'high');
        assert.match(
          reasons.join(' '),
          name.includes('inserts')
            ? /Adds the scripts “test ”, “x” of package\.json/
            : /Changes the script “test” of package\.json/,
        );
        assert.equal(guarded, undefined, 'a mode that asks nothing lets it go');
        assert.equal(text('package.json'), manifest, 'looking at it wrote it');
      }));
  }

  it('of other fields stays medium risk', () =>
    inFolder(async ({ assess }) => {
      for (const [from, to] of [
        ['1.0.0', '1.1.0'],
        ['"zod": "4.0.0"', '"zod": "4.1.0", "preact": "10.0.0"'],
        ['"name": "one"', '"name": "one", "eslintConfig": {}'],
        ['"eslint ."', '"eslint ."'],
      ] as const) {
        assert.equal(
          (await assess(editFile, { path: 'package.json', edits: [{ old_text: from, new_text: to }] })).level,
          'medium',
          to,
        );
      }
    }));

  it('that would fail is not asked about', () =>
    inFolder(async ({ assess }) => {
      assert.equal(
        (await assess(editFile, { path: 'package.json', edits: [{ old_text: 'not there', new_text: '"test": "x"' }] }))
          .level,
        'medium',
      );
      assert.equal((await assess(writeFile, { path: 'package.json', content: '{"scripts":{}}' })).level, 'medium');
    }));

  it('is high risk if it adds or removes code that runs automatically; adding is asked about in every mode', () =>
    inFolder(async ({ assess }) => {
      const found = async (field: string) =>
        assess(editFile, { path: 'package.json', edits: [{ old_text: '"version"', new_text: `${field}, "version"` }] });
      const script = await assess(editFile, {
        path: 'package.json',
        edits: [{ old_text: '"lint"', new_text: '"postinstall": "node x.js", "lint"' }],
      });
      assert.deepEqual([script.level, script.guarded], ['high', true]);
      assert.match(
        script.reasons.join(' '),
        /Adds the script “postinstall” of package\.json, which runs automatically when packages are installed/,
      );
      for (const [field, says, always] of [
        ['"husky": {"hooks": {"pre-commit": "sh x"}}', /“husky”.*committed/, true],
        ['"lint-staged": {"*": "sh x"}', /“lint-staged”/, true],
        ['"simple-git-hooks": {"pre-push": "x"}', /simple-git-hooks/, true],
        ['"pnpm": {"onlyBuiltDependencies": ["x"]}', /install scripts/, true],
        ['"bin": {"tsc": "./x.js"}', /“bin”/, undefined],
        ['"directories": {"bin": "x"}', /directories\.bin/, undefined],
        ['"config": {"x": "y"}', /“config”/, undefined],
        ['"packageManager": "yarn@9.9.9"', /package manager/, undefined],
      ] as const) {
        const { level, reasons, guarded } = await found(field);
        assert.deepEqual([level, guarded], ['high', always], field);
        assert.match(reasons.join(' '), says);
      }
      const gone = await assess(editFile, {
        path: 'package.json',
        edits: [{ old_text: '    "lint": "eslint .",\n', new_text: '' }],
      });
      assert.match(gone.reasons.join(' '), /Removes the script “lint”/);
      assert.equal(gone.level, 'high');
    }));

  it('highlights the key that its headline names, as written in the file', () =>
    inFolder(async ({ assess }) => {
      const pointedAt = async (old_text: string, new_text: string) => {
        const { culprit, reasons } = await assess(editFile, { path: 'package.json', edits: [{ old_text, new_text }] });
        assert.ok(culprit && reasons[0]!.includes(culprit.replaceAll('"', '')), `${culprit}: ${reasons[0]}`);
        return culprit;
      };
      assert.equal(
        await pointedAt('"lint": "eslint ."', '"lint": "eslint src", "postinstall": "node x.js"'),
        '"postinstall"',
      );
      assert.equal(await pointedAt('"lint": "eslint ."', '"lint": "eslint src"'), '"lint"');
      assert.equal(await pointedAt('    "lint": "eslint .",\n', ''), '"lint"');
      assert.equal(await pointedAt('"version"', '"packageManager": "yarn@9.9.9", "version"'), '"packageManager"');
      assert.equal(
        (
          await assess(editFile, {
            path: 'package.json',
            edits: [{ old_text: '"name": "one",', new_text: '"name": ' }],
          })
        ).culprit,
        'package.json',
      );
    }));

  it('is high risk if it creates a file with scripts, in any folder, or a file that is not JSON', () =>
    inFolder(async ({ assess, write }) => {
      const made = await assess(writeFile, {
        path: 'packages/web/package.json',
        content: '{"scripts":{"test":"x","build":"y"}}',
      });
      assert.equal(made.level, 'high');
      assert.match(made.reasons.join(' '), /Adds the scripts “test”, “build” of packages\/web\/package\.json/);
      assert.equal(
        (await assess(writeFile, { path: 'packages/web/package.json', content: '{"name":"web"}' })).level,
        'medium',
      );
      assert.match(
        (await assess(writeFile, { path: 'a/package.json', content: '{"scripts":' })).reasons.join(' '),
        /invalid JSON/,
      );
      write('package.json', `${manifest}x`);
      assert.equal(
        (await assess(editFile, { path: 'package.json', edits: [{ old_text: '}\nx', new_text: '}' }] })).level,
        'high',
        'everything of it is new once it can be read again',
      );
    }));

  const inSession = (root: string, ran: string[]) => {
    const edit = call(
      'edit_file',
      { path: 'package.json', edits: [{ old_text: '"vitest run"', new_text: '"vitest run --coverage"' }] },
      'edit',
    );
    const terminal = {
      async run(command: string) {
        ran.push(command);
        return { end: 'exited' as const, exitCode: 0, output: '', outputBytes: 0, durationMs: 1, cwd: root };
      },
      answer: null!,
      dispose: async () => {},
    };
    const environment = {
      root,
      files: diskFiles({ folders: [root] }),
      search: untouched.search,
      terminal,
      scripts: diskScripts(root),
    };
    return {
      environment,
      begin: async () =>
        begin(plays(says('', edit), says('', call('run_command', { command: 'npm test' }, 'run')), says('bye')), {
          parts: { tools: [editFile, runCommand], environment },
          first: { cwd: root, pins: await pinsAtStart(environment.scripts) },
        }).go(),
    };
  };
  const waiting = (conversation: Awaited<ReturnType<ReturnType<typeof inSession>['begin']>>) =>
    undecidedActions(conversation.history).map(({ id }) => id);

  it('lets the script run without another question after approval', () =>
    inFolder(async ({ root, text }) => {
      const ran: string[] = [];
      const conversation = await inSession(root, ran).begin();
      assert.deepEqual([waiting(conversation), text('package.json')], [['edit'], manifest]);
      conversation.approve('edit');
      await conversation.rested();
      assert.match(text('package.json')!, /--coverage/);
      assert.deepEqual([waiting(conversation), ran], [[], ['npm test']]);
    }));

  it('is asked about again if the file changed meanwhile, and only the shown script may run', () =>
    inFolder(async ({ root, text, write }) => {
      const ran: string[] = [];
      const conversation = await inSession(root, ran).begin();
      write(
        'package.json',
        manifest.replace('vitest run', 'sh evil.sh').replace('"eslint ."', '"x", "y": "vitest run"'),
      );
      conversation.approve('edit');
      await conversation.rested();
      assert.deepEqual(waiting(conversation), ['edit']);
      assert.match(undecidedActions(conversation.history)[0]!.risk.reasons.join(' '), /Changes the script “y”/);
      conversation.approve('edit');
      await conversation.rested();
      assert.match(text('package.json')!, /"y": "vitest run --coverage"/);
      assert.deepEqual([waiting(conversation), ran], [['run'], []]);
    }));
});

describe('a command that changes package.json', () => {
  for (const [command, level, says] of [
    ['npm pkg set scripts.test="sh x"', 'high', /script “test”/],
    ["npm pkg set 'scripts[lint]=x'", 'high', /script “lint”/],
    ['npm set-script build x', 'high', /script “build”/],
    ['pnpm pkg set bin.x=./x.js', 'high', /“bin”/],
    ['npm pkg delete scripts.test', 'high', /removes the script “test”/i],
    ['npm pkg set scripts={} --json', 'high', /the scripts of package\.json/],
    ['npm pkg set dependencies.x=1', 'high', /another package/],
    ['npm pkg set "$X"', 'high', /not written out/],
    ['npm pkg set version=1.2.3', 'medium', /changes package\.json/i],
    ['npm pkg set description="a b" type=module', 'medium', /changes package\.json/i],
    ['npm pkg get scripts', 'low', /^$/],
    ['npm pkg set type=module && npm test', 'high', /same (?:line|command) changed package\.json/],
  ] as const) {
    it(`is ${level}: ${command}`, () => {
      const found = assessCommand(command, { workspace: '/project', folder: '.' });
      assert.equal(found.level, level);
      assert.match(found.reasons.join(' '), says);
    });
  }

  it('asks in every mode if it sets code that runs automatically', () => {
    for (const command of [
      'npm pkg set scripts.postinstall=x',
      'npm set-script prepare x',
      'npm pkg set lint-staged.x=y',
      'npm pkg set scripts={} --json',
    ])
      assert.equal(assessCommand(command, {}).guarded, true, command);
    assert.equal(assessCommand('npm pkg set scripts.test=x', {}).guarded, undefined);
  });
});

describe('a test script that loads a module by a path without an ending', () => {
  it('is judged by the file of the workspace that the path means', () =>
    inFolder(async ({ root, assess, write }) => {
      write('package.json', manifest.replace('vitest run', 'mocha --require test/support/env --exit test/'));
      const npmTest = () => assess(runCommand, { command: 'npm test' });
      assert.equal((await npmTest()).level, 'high', 'there is no such file');
      fs.mkdirSync(`${root}/test/support`, { recursive: true });
      write('test/support/env.js', "process.env.NODE_ENV = 'test';\n");
      assert.notEqual((await npmTest()).level, 'high');
      write('test/support/env', 'touch x\n');
      const commands = ['mocha -r test/support/env', 'echo x > test/support/env && mocha -r test/support/env'];
      const [own, written] = await Promise.all(commands.map((command) => assess(runCommand, { command })));
      assert.ok('file:test/support/env' in own!.pins!, 'the file without an ending is loaded first');
      assert.equal(written!.level, 'high');
      fs.mkdirSync(`${root}/test/hooks`);
      write('test/hooks/index.js', '// nothing\n');
      assert.notEqual((await assess(runCommand, { command: 'mocha -r test/hooks' })).level, 'high');
      for (const elsewhere of ['mocha -r /etc/env', 'mocha -r ../env', 'mocha -r ~/env'])
        assert.equal((await assess(runCommand, { command: elsewhere })).level, 'high', elsewhere);
    }));
});
