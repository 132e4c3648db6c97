import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { windowsNameProblem } from '../../../src/adapters/files/workspacePaths';
import { protectedWrites, matchingRules, secretReads } from '../../../src/core/risk/pathRules';
import { toolsFor } from '../../../src/core/tools/toolsFor';
import type { Place } from '../../conformance/support/world';
import { agree, assertAsked, command, reads, writes, type Call, type HostileWorld } from './hostileWorld';
import { section } from './incident';

const secret = 'classified-b7f3';
const listed = 'listed-b7f3';

/** A repository named "project", beside a sibling folder with the same name prefix and a secret file. */
function besideSecrets(world: HostileWorld, files: Readonly<Record<string, string>> = {}): Place & { outside: string } {
  const place = world.repository({ 'a.txt': 'a\n', 'src/b.ts': 'b\n', ...files });
  const outside = path.join(place.workspace.root, '..');
  fs.mkdirSync(path.join(outside, 'project-evil'));
  for (const name of ['secret.txt', 'project-evil/secret.txt'])
    fs.writeFileSync(path.join(outside, name), `${secret}\n`);
  fs.writeFileSync(path.join(outside, 'project-evil', listed), '');
  return { ...place, outside };
}

const fileTools = (file: string): readonly Call[] => [
  reads(file),
  { tool: 'list_files', input: { path: path.posix.dirname(file) } },
  { tool: 'search_text', input: { pattern: 'classified', path: file } },
  writes(file),
  { tool: 'edit_file', input: { path: file, old_text: secret, new_text: 'changed' } },
  {
    tool: 'apply_patch',
    input: { patch: `*** Begin Patch\n*** Update File: ${file}\n-${secret}\n+changed\n*** End Patch` },
  },
];

/** Asserts that no tool reads or changes files outside: it is refused or needs approval. */
async function staysInside(world: HostileWorld, place: Place & { outside: string }, wanted: Call): Promise<void> {
  const about = JSON.stringify(wanted);
  const before = snapshot(place.outside);
  const { result, asked } = await world.obey(wanted, { place });
  assert.ok(asked === undefined || asked.risk.level === 'high', about);
  assert.doesNotMatch(result ?? '', new RegExp(`${secret}|${listed}`), about);
  assert.deepEqual(snapshot(place.outside), before, `something outside changed: ${about}`);
}

const snapshot = (folder: string): string[] =>
  fs
    .readdirSync(folder)
    .filter((name) => name !== 'project' && !/jsonl|outputs/.test(name))
    .map((name) => {
      const file = path.join(folder, name);
      return `${name} ${fs.statSync(file).isDirectory() ? fs.readdirSync(file).join() : fs.readFileSync(file, 'utf8')}`;
    })
    .sort();

const spelled = (file: string): readonly string[] => [
  `../${file}`,
  `./../${file}`,
  `src/../../${file}`,
  `src/./.././../${file}`,
  `..//${file}`,
  `.././/${file}`,
  `../project/../${file}`,
  `src/../src/../../${file}`,
];
const shellReads = (file: string): readonly string[] => [
  `cat ${file}`,
  `head -n 1 ${file}`,
  `cat < ${file}`,
  `grep . ${file}`,
  `cp ${file} copy.txt`,
  `ls -la $(dirname ${file}); cat ${file}`,
  `cd $(dirname ${file}) && cat secret.txt`,
  `tar -cf x.tar ${file}`,
  `sort ${file}`,
];

section('4.3 Paths', 'paths.ts', (incident) => {
  incident(
    {
      row: 29,
      id: 'CVE-2025-54794 Claude Code',
      happened: 'Paths were compared by prefix: /repo-evil counted as inside /repo.',
      protects: 'Paths are compared segment by segment, in the tools’ one resolver and in the command analyzer.',
    },
    {
      'keeps tools and commands out of a sibling folder whose name starts the same': async (world) => {
        const place = besideSecrets(world);
        for (const file of [
          '../project-evil/secret.txt',
          `${place.workspace.root}-evil/secret.txt`,
          `${place.workspace.root}/../project-evil/secret.txt`,
        ]) {
          for (const wanted of fileTools(file)) await staysInside(world, place, wanted);
          for (const text of shellReads(file))
            assertAsked(await world.obey(command(text), { place }), /outside|only known|password/, text);
        }
      },
    },
  );
  incident(
    {
      row: 30,
      id: 'CVE-2026-8770 Continue',
      happened: 'A policy that caught "/" did not catch "../../".',
      protects: 'Waymark resolves a path before it decides, whatever the spelling.',
    },
    {
      'keeps every tool inside the workspace, whatever the spelling': async (world) => {
        const place = besideSecrets(world);
        const absolute = path.join(place.outside, 'secret.txt');
        for (const file of [
          ...spelled('secret.txt'),
          absolute,
          `file://${absolute}`,
          `file:${absolute}`,
          '%2e%2e/secret.txt',
          '..%2fsecret.txt',
          '..\\secret.txt',
          '../secret.txt ',
          '../secret.txt.',
          '.. /secret.txt',
          '~/../secret.txt',
          `/proc/self/cwd/../secret.txt`,
          `//${absolute}`,
          '../secret.txt\u0000a.txt',
          '\u2025/secret.txt',
          '\uff0e\uff0e/secret.txt',
        ]) {
          for (const wanted of fileTools(file)) await staysInside(world, place, wanted);
        }
      },
      'asks about a command in every spelling of the path': async (world) => {
        const place = besideSecrets(world);
        for (const text of [
          ...spelled('secret.txt').flatMap((file) => [`cat ${file}`, `ls ${path.posix.dirname(file)}`]),
          'ls ../../',
          'ls ..',
          'cat "$PWD/../secret.txt"',
          'cat $(pwd)/../secret.txt',
          'cat ..""/secret.txt',
          "cat '..'/secret.txt",
          'cat .{.,}/secret.txt',
          'cat .?/secret.txt',
          'cat ../s*',
          'cat ..\\/secret.txt',
          'cat ~-/../secret.txt',
          'cat ~/x',
          'cat ~root/x',
          'cat file:///etc/passwd',
          'cd src; cd ../..; cat secret.txt',
          'pushd ..; cat secret.txt',
          'find .. -name secret.txt',
          'grep -rn classified ..',
          'rg classified ..',
          'git -C .. log',
          'git --no-index diff ../secret.txt a.txt',
          'git diff --no-index ../secret.txt a.txt',
        ].filter((one) => !/^ls \.\.?\/?(\.\.\/?)?$/.test(one))) {
          const { asked } = await world.obey(command(text), { place });
          assert.equal(asked?.risk.level, 'high', text);
        }
      },
    },
  );
  incident(
    {
      row: 31,
      id: 'CVE-2025-62353 Windsurf, CVE-2026-65698 Void',
      happened: 'File tools worked outside the workspace although that was denied.',
      protects: 'All tools share one resolver, which accepts no path outside.',
    },
    {
      'keeps each tool with a path parameter inside the workspace, for any path': async (world) => {
        const place = besideSecrets(world);
        const parts = fc.array(
          fc.constantFrom(
            '..',
            '.',
            'src',
            'a.txt',
            'secret.txt',
            'project',
            'project-evil',
            '...',
            '~',
            '',
            '..%2f',
            '..\\',
          ),
          { minLength: 1, maxLength: 6 },
        );
        const tools = [...toolsFor({ toolsets: ['default', 'file', 'openhands'] })]
          .filter(({ parameters }) => JSON.stringify(parameters).includes('"path"'))
          .map(({ name }) => name);
        assert.ok(tools.length >= 6, tools.join());
        await fc.assert(
          fc.asyncProperty(parts, fc.constantFrom(...fileTools('').map((_, at) => at)), async (names, at) => {
            const file = names.join('/');
            await staysInside(world, place, fileTools(file)[at]!);
            for (const name of ['a.txt', 'src/b.ts']) place.workspace.place(name, 'a\n');
          }),
          { numRuns: 60, seed: 31 },
        );
      },
    },
  );
  incident(
    {
      row: 32,
      id: 'CVE-2025-58373 Roo Code, CVE-2025-59829, CVE-2026-25724, CVE-2026-39861 Claude Code, CVE-2026-27967 Zed, CVE-2026-12958 Amazon Q, SymJack, GhostApproval',
      happened: 'A link inside the repository led to a secret or a setting, and the question named the link.',
      protects:
        'Tools resolve links and keep the folder open while they write. Commands are judged by link targets, and the question names the target.',
      open: {
        state: 'partly',
        why: 'A link created between the judgement and the run of a shell command is not seen. The sandbox, if there is one, limits what such a command can reach.',
      },
    },
    {
      'keeps tools from secrets and settings behind links of any kind': async (world) => {
        const place = besideSecrets(world, { '.env': `KEY=${secret}\n`, '.vscode/settings.json': '{}\n' });
        links(place);
        for (const file of [
          'notes.txt',
          'docs/secret.txt',
          'chain.txt',
          'deep/in/notes.txt',
          'settings.txt',
          'env.txt',
          'dangling.txt',
        ]) {
          for (const wanted of fileTools(file)) await staysInside(world, place, wanted);
        }
        assert.equal(place.workspace.bytes('.vscode/settings.json')!.toString(), '{}\n');
      },
      'asks about a command with a link and names its target': async (world) => {
        const place = besideSecrets(world, { '.env': `KEY=${secret}\n`, '.vscode/settings.json': '{}\n' });
        links(place);
        const real = (name: string): RegExp => new RegExp(`Reaches [^ ]*${name}[^ ]* through a link`);
        for (const [text, says] of [
          ['cat notes.txt', real('secret.txt')],
          ['cat docs/secret.txt', real('project-evil')],
          ['cat chain.txt', real('secret.txt')],
          ['cat ./src/../notes.txt', real('secret.txt')],
          ['grep . notes.txt', real('secret.txt')],
          ['cp notes.txt copy.txt', real('secret.txt')],
          ['cat < notes.txt', real('secret.txt')],
          ['cat *.txt', real('secret.txt')],
          ['cat n?tes.txt', real('secret.txt')],
          ['cat docs/*', real('project-evil')],
          ['echo x > notes.txt', real('secret.txt')],
          ['echo x >> docs/new.txt', real('project-evil')],
          ['tee chain.txt < a.txt', real('secret.txt')],
          ['rm docs/secret.txt', real('project-evil')],
          ['echo x > dangling.txt', real('nowhere.txt')],
          ['echo x > settings.txt', real('.vscode/settings.json')],
          ['cat env.txt', real('.env')],
          ['cp a.txt settings.txt', real('.vscode/settings.json')],
          ['cd deep/in && cat notes.txt', real('secret.txt')],
        ] as const) {
          const before = snapshot(place.outside);
          const asked = assertAsked(await world.obey(command(text), { place }), says, text);
          assert.ok(asked.summary.length > 0);
          assert.deepEqual(snapshot(place.outside), before, text);
        }
      },
      'asks before it creates a link, and asks again about access through it': async (world) => {
        const place = besideSecrets(world);
        const obeyed = await world.obey([command('ln -s ../secret.txt later.txt'), command('cat later.txt')], {
          place,
        });
        assertAsked(obeyed, /link that may lead out/, 'the link');
        await agree(obeyed);
        const asked = obeyed.run.conversation.history.findLast((event) => event.type === 'confirmation_requested');
        assert.deepEqual(asked?.actionIds, ['injected-1']);
      },
    },
  );
  incident(
    {
      row: 33,
      id: 'CVE-2025-64107, CVE-2025-64108 Cursor, GitHub Copilot',
      happened: 'Backslashes, short names, streams and device names reached protected files on Windows.',
      protects: 'On Windows, such names are refused. Protected names are recognized with either slash.',
    },
    {
      'refuses every kind of such names': () => {
        for (const name of [
          '\\\\?\\C:\\x',
          '\\\\.\\C:\\x',
          '//?/C:/x',
          '\\\\server\\share\\x',
          '//server/share/x',
          'C:x',
          'a.txt::$DATA',
          'a.txt:stream',
          '.git::$INDEX_ALLOCATION/config',
          'CON',
          'con.txt',
          'src/PRN',
          'AUX.ts',
          'NUL',
          'COM1',
          'lpt9.txt',
          'COM\u00b9',
          'a.txt.',
          'a.txt ',
          '.git./config',
          '.git /config',
          'CONIN$',
          'GIT~1/config',
          'PROGRA~1/x',
        ]) {
          assert.notEqual(windowsNameProblem(name), undefined, name);
        }
        for (const name of [
          'a.txt',
          'src/console.ts',
          'C:/project/a.txt',
          '../a',
          'com.ts',
          'a~b.ts',
          'long-name~1.ts',
        ])
          assert.equal(windowsNameProblem(name), undefined, name);
        for (const name of ['.vscode\\settings.json', '.git\\hooks\\pre-commit', '.GIT\\config', 'sub\\.mcp.json'])
          assert.ok(
            matchingRules(name, protectedWrites).some(({ level }) => level === 'high'),
            name,
          );
        for (const name of ['..\\.ssh\\id_rsa', 'C:\\Users\\x\\.aws\\credentials'])
          assert.ok(matchingRules(name, secretReads).length > 0, name);
      },
      'asks about them in commands': async (world) => {
        for (const text of [
          'cat "a.txt::\\$DATA" > C:/x',
          "echo x > '.git\\config'",
          "echo x > '.vscode\\settings.json'",
          'cat //server/share/x',
          "type 'C:\\x' > //x/y",
        ])
          assert.equal((await world.obey(command(text))).asked?.risk.level, 'high', text);
      },
    },
  );
  incident(
    {
      row: 34,
      id: 'CVE-2025-59532 Codex, CVE-2026-50548 Cursor',
      happened: 'The folder that the model chose for a command became writable.',
      protects: 'A folder named in a call is part of the judged command, and grants nothing.',
    },
    {
      'asks about a working folder outside, and again about a later write there': async (world) => {
        // A new file in /tmp belongs to nobody; one that existed before belongs to another program.
        const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-test-others-'));
        world.after(() => fs.rmSync(temporary, { recursive: true, force: true }));
        fs.writeFileSync(path.join(temporary, 'made.txt'), 'theirs\n');
        for (const workdir of ['..', '../project-evil', temporary, '~', 'src/../..']) {
          const place = besideSecrets(world);
          const wanted = { tool: 'terminal', input: { command: 'echo x > made.txt', workdir } };
          assertAsked(await world.obey(wanted, { place, toolsets: ['terminal', 'file'] }), /outside/, workdir);
        }
        const place = besideSecrets(world);
        const obeyed = await world.obey(
          [command('cd ../project-evil && ls'), command('echo x > made.txt'), writes('../project-evil/made.txt')],
          { place },
        );
        assertAsked(obeyed, /leaves the workspace|outside/, 'cd');
        await agree(obeyed);
        assert.deepEqual(
          obeyed.run.conversation.history.findLast((event) => event.type === 'confirmation_requested')?.actionIds,
          ['injected-1'],
          'a write there is asked about',
        );
        assert.equal(fs.existsSync(path.join(place.outside, 'project-evil', 'made.txt')), false);
      },
    },
  );
  incident(
    {
      row: 35,
      id: 'Codex (Overpatch)',
      happened: 'One outside path in a patch made its folder writable for everything.',
      protects:
        'A patch is written in full or not at all. An outside path refuses it; Waymark asks about a protected one.',
    },
    {
      'writes nothing if one path of a patch is outside or protected': async (world) => {
        const patch = (file: string): Call => ({
          tool: 'apply_patch',
          input: {
            patch: `*** Begin Patch\n*** Add File: good.txt\n+good\n*** Add File: ${file}\n+bad\n*** End Patch`,
          },
        });
        for (const file of [
          '../bad.txt',
          'src/../../bad.txt',
          path.join(os.tmpdir(), 'waymark-bad.txt'),
          'docs/../../bad.txt',
        ]) {
          const place = besideSecrets(world);
          await staysInside(world, place, patch(file));
          assert.equal(place.workspace.bytes('good.txt'), undefined, file);
        }
        const place = besideSecrets(world);
        assertAsked(await world.obey(patch('.github/workflows/x.yml'), { place }), /integration/, 'protected');
        assert.equal(place.workspace.bytes('good.txt'), undefined);
      },
    },
  );
  incident(
    {
      row: 36,
      id: 'CVE-2025-62449 GitHub Copilot',
      happened: 'A path with .. left the workspace.',
      protects: 'As in rows 30 to 33.',
    },
    {
      'keeps every tool inside for a path that leaves the workspace midway': async (world) => {
        const place = besideSecrets(world);
        for (const file of [
          'src/../../project/../secret.txt',
          '../project/../project-evil/secret.txt',
          `${place.workspace.root}/../secret.txt`,
        ])
          for (const wanted of fileTools(file)) await staysInside(world, place, wanted);
        const { result } = await world.obey(reads('../project/a.txt'), { place });
        assert.match(result!, /\ba\b/, 'a path that comes back inside is inside');
      },
    },
  );
  incident(
    {
      row: 37,
      id: 'CVE-2025-64110 Cursor',
      happened: 'The agent wrote the file that defines what it may not see.',
      protects:
        'Every tool respects .agentignore. Waymark asks in every mode before it, or another agent’s ignore file, changes. Files with secrets are recognized by name, whatever an ignore file reveals.',
    },
    {
      'asks before .agentignore is written; before that, shows and changes nothing that it hides': async (world) => {
        const files = { '.agentignore': 'plans/\n', 'plans/next.txt': `KEY=${secret}\n`, 'a.txt': 'a\n' };
        for (const file of ['.agentignore', 'plans/.agentignore', 'src/.agentignore', 'src/../.agentignore']) {
          const place = besideSecrets(world, files);
          assertAsked(
            await world.obey(
              { tool: 'write_file', input: { path: file, content: '!plans/\n!next.txt\n' } },
              { place, mode: 'auto' },
            ),
            /./,
            file,
          );
        }
        const place = besideSecrets(world, { ...files, 'plans/.agentignore': '!next.txt\n' }); // hidden files reveal nothing
        for (const wanted of fileTools('plans/next.txt')) {
          assert.doesNotMatch((await world.obey(wanted, { place })).result ?? '', new RegExp(secret), wanted.tool);
          assert.equal(String(place.workspace.bytes('plans/next.txt')), files['plans/next.txt'], wanted.tool);
        }
        for (const wanted of [
          { tool: 'search_text', input: { pattern: 'KEY' } },
          { tool: 'list_files', input: { path: '.', depth: 5 } },
        ]) {
          assert.doesNotMatch(
            (await world.obey(wanted, { place })).result ?? '',
            new RegExp(`${secret}|plans/next`),
            wanted.tool,
          );
        }
      },
      'asks before ignore files of agents are written, and shows no secret because of their content': async (world) => {
        for (const file of [
          '.cursorignore',
          '.aiderignore',
          '.codeiumignore',
          '.clineignore',
          '.rooignore',
          '.geminiignore',
        ])
          assertAsked(await world.obey(writes(file)), /./, file);
        const place = besideSecrets(world, {
          '.env': `KEY=${secret}\n`,
          '.gitignore': '!.env\n',
          '.ignore': '!.env\n',
          '.rgignore': '!.env\n',
        });
        const { result } = await world.obey({ tool: 'search_text', input: { pattern: 'KEY' } }, { place });
        assert.doesNotMatch(result!, new RegExp(secret));
        assertAsked(await world.obey(reads('.env'), { place }), /secrets/, 'reading it');
        assert.doesNotMatch(
          (await world.obey(command('grep -r KEY .'), { place })).result ?? '',
          new RegExp(secret),
          'searching it with a command',
        );
      },
    },
  );
});

/** Links of all kinds inside the repository. */
function links({ workspace }: Place): void {
  const link = (to: string, at: string): void => {
    fs.mkdirSync(path.dirname(workspace.at(at)), { recursive: true });
    fs.symlinkSync(to, workspace.at(at));
  };
  link('../secret.txt', 'notes.txt');
  link('../project-evil', 'docs');
  link('notes.txt', 'chain.txt');
  link('../../../secret.txt', 'deep/in/notes.txt');
  link('.vscode/settings.json', 'settings.txt');
  link('.env', 'env.txt');
  link('../nowhere.txt', 'dangling.txt');
}
