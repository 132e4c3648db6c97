import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventsOfType } from '../../src/core/log/projection';
import { fixture } from '../adapters/mcp/support';
import { reply, toolCall } from '../support/modelServer';
import { cliFile, ensureBuilt, onMachine } from '../cli/support/commandLine';

const root = process.env['REPOSITORY']!;
const read = (page: string): string => fs.readFileSync(path.join(root, 'docs', page), 'utf8');

/** Returns the fenced blocks of a page in this language. */
const blocks = (page: string, language: string): string[] =>
  [...read(page).matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].flatMap(([, name, text]) =>
    name === language ? [text!] : [],
  );

/** Returns the flags in the rest of a command line, also in its comment unless that explains a flag of another command. */
const flagsIn = (rest: string): string[] =>
  rest.replace(/"[^"]*"|# edits held back by \S+/g, '').match(/(?<=\s)--?[a-z][\w-]*/g) ?? [];

/** Returns the indented lines of code of a page, without the indentation. */
const codeLines = (page: string): string[] => [...read(page).matchAll(/^ {4}(\S.*)$/gm)].map(([, line]) => line!);

describe('the page of the inspector', () => {
  it('names the files that open in it by default, and those that open in it on demand', () => {
    interface Editor {
      readonly priority: string;
      readonly selector: readonly { readonly filenamePattern: string }[];
    }
    const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      contributes: { customEditors: readonly Editor[] };
    };
    const patterns = (wanted: string): string[] =>
      manifest.contributes.customEditors
        .filter(({ priority }) => priority === wanted)
        .flatMap(({ selector }) => selector.map(({ filenamePattern }) => filenamePattern));
    const [, byDefault, onDemand] = /## Files of other agents\n([\s\S]*?in the inspector\.)([\s\S]*?)\*\*Reopen/.exec(
      read('use/inspector.md'),
    )!;
    const named = (text: string): string[] => [...text.matchAll(/`([^`]*\.[^`]*)`/g)].map(([, name]) => name!).sort();
    const hermes = '{trajectory_samples,failed_trajectories}.jsonl';
    assert.ok(patterns('default').includes(hermes));
    assert.deepEqual(
      named(byDefault!),
      [
        ...patterns('default').filter((pattern) => pattern !== hermes),
        'trajectory_samples.jsonl',
        'failed_trajectories.jsonl',
      ].sort(),
    );
    assert.deepEqual(named(onDemand!), [...patterns('option'), 'events.jsonl'].sort());
  });
});

(process.platform === 'win32' ? describe.skip : describe)('the examples of the documentation pages', function () {
  this.timeout(120_000);
  before(ensureBuilt);

  it('guard.sh refuses what its page says, and its hooks file and its answer work', () => {
    const deploy = (words: string) => toolCall('run_command', { command: `echo ${words}` });
    const answers = [deploy('production'), deploy('staging'), reply('Done.'), deploy('staging'), reply('Done.')];
    return onMachine(answers, async ({ run, workspace, events, server, start }) => {
      const [file, answer] = blocks('use/hooks.md', 'json');
      workspace.place('.agent/hooks.json', file!);
      workspace.place('guard.sh', blocks('use/hooks.md', 'sh')[0]!);
      const listed = await start(['hooks', '--json']).ended;
      assert.deepEqual(
        (JSON.parse(listed.stdout) as { problems: unknown[] }[]).map(({ problems }) => problems),
        [[]],
      );
      assert.equal((await run('Deploy.', '--agree', 'hooks')).code, 0);
      assert.deepEqual(
        eventsOfType(events(), 'observation').map(({ outcome }) => outcome),
        ['rejected', 'ok'],
      );
      assert.match(JSON.stringify(server.requests[1]!.body.messages), /Changes of production are not allowed\./);

      workspace.place('guard.sh', `cat > seen.json\ncat <<'END'\n${answer}END\n`);
      assert.equal((await run('Again.', '--agree', 'hooks')).code, 0);
      assert.deepEqual(
        eventsOfType(events(), 'observation').map(({ outcome }) => outcome),
        ['rejected', 'ok', 'rejected'],
      );
      const told = Object.keys(JSON.parse(fs.readFileSync(workspace.at('seen.json'), 'utf8')) as object);
      const described = new Set([...read('use/hooks.md').matchAll(/`(\w+)`/g)].map(([, name]) => name));
      assert.deepEqual(
        told.filter((name) => !described.has(name)),
        [],
      );
    });
  });

  it('the rule is used when the message contains its word, and has no problems', () =>
    onMachine([reply('Done.'), reply('Done.')], async ({ run, workspace, events, start }) => {
      workspace.place('.agent/rules/release.md', blocks('use/skills.md', 'markdown')[0]!);
      const { stdout } = await start(['skills', '--json']).ended;
      const [rule, ...others] = JSON.parse(stdout) as { problems: unknown[] }[];
      assert.deepEqual([rule!.problems, others], [[], []]);
      await run('Fix the bug.');
      assert.deepEqual(eventsOfType(events(), 'skill_woken'), []);
      await run('Now make a release.');
      assert.deepEqual(
        eventsOfType(events(), 'skill_woken').map(({ what }) => what),
        ['release'],
      );
    }));

  it('the MCP files have no problems, and the commands of the page list and start a server', () =>
    onMachine([reply('Done.'), reply('Done.')], async ({ workspace, start, server }) => {
      const [file, signIn] = blocks('use/mcp.md', 'json');
      workspace.place('notes-server.mjs', `import ${JSON.stringify(pathToFileURL(fixture('server.mjs')).href)};\n`);
      for (const text of [signIn!, file!]) {
        workspace.place('.agent/mcp.json', text);
        const { code, stdout } = await start(['mcp', '--json']).ended;
        const { servers, problems } = JSON.parse(stdout) as { servers: { name: string }[]; problems: unknown[] };
        assert.deepEqual([code, problems, servers.at(-1)?.name], [0, [], 'forge']);
      }
      const key = { NOTES_KEY: 'x' };
      assert.equal((await start(['mcp', '--start', 'notes', '--agree'], key).ended).code, 0);
      const offered = async (...options: string[]): Promise<boolean> => {
        const model = ['--base-url', server.baseUrl, '--model', 'gpt-5'];
        assert.equal((await start(['run', 'Go.', '--mcp', 'notes', ...model, ...options], key).ended).code, 0);
        return JSON.stringify(server.requests.at(-1)!.body).includes('mcp_notes_');
      };
      assert.equal(await offered(), true);
      assert.equal(await offered('--disable-toolsets', 'mcp_notes'), false);
    }));

  it('the dataset runs in copies of its folder and of its repository', () =>
    onMachine([], async ({ workspace, start }) => {
      const git = (...words: string[]): string =>
        execFileSync('git', words, { cwd: workspace.at('projects/shop'), encoding: 'utf8' }).trim();
      workspace.place('projects/calendar/march.txt', '31\n');
      workspace.place('projects/shop/shop.txt', 'shop\n');
      git('init', '-q');
      git('add', '.');
      git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'Begin');
      const lines = codeLines('use/batch.md').filter((line) => line.startsWith('{"id"'));
      assert.equal(lines.length, 2);
      const dataset = `${lines.join('\n')}\n`.replace('4f2c9d1', git('rev-parse', '--short=7', 'HEAD'));
      workspace.place('tasks.jsonl', dataset);
      workspace.place('done.jsonl', '{"say":"Done."}\n');
      const { code, stdout, stderr } = await start(['batch', 'tasks.jsonl', '--script', 'done.jsonl']).ended;
      assert.equal(code, 0, stderr);
      assert.match(stdout, /2 of 2 tasks are done/);
      assert.doesNotMatch(stderr, /skipped|not read/);
    }));

  it('a server whose input nobody can be asked for does not start, and the message says what to write instead', () =>
    onMachine([], async ({ workspace, start }) => {
      workspace.place('.agent/mcp.json', blocks('use/mcp.md', 'json')[1]!);
      const { code, stderr } = await start(['mcp', '--start', 'forge', '--agree']).ended;
      assert.equal(code, 1);
      assert.match(stderr, /^The MCP server forge did not start\. The value "secret" was not given\..*\$\{env:NAME\}/);
    }));

  it('use only flags of the command that a line names', async () => {
    const used = fs
      .readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((page) => page.endsWith('.md'))
      .flatMap((page) =>
        [...codeLines(page), ...blocks(page, 'sh').flatMap((text) => text.split('\n'))].flatMap((line) => {
          const [, command, rest] = /^(?:- run: )?(?:waymark|node dist\/cli\.js) ([a-z][a-z-]*)(.*)/.exec(line) ?? [];
          return command === undefined ? [] : [{ page, line, command, flags: flagsIn(rest!) }];
        }),
      );
    assert.ok(used.length > 40);
    const known = new Map<string, Set<string>>();
    for (const command of new Set(used.map((each) => each.command))) {
      const help = execFileSync(process.execPath, [cliFile, command, '--help'], { encoding: 'utf8' });
      known.set(command, new Set(help.match(/(?<=[\s,])--?[a-z][\w-]*/g)));
    }
    const wrong = used.flatMap(({ page, line, command, flags }) =>
      flags.filter((flag) => !known.get(command)!.has(flag)).map((flag) => `${page}: ${flag} in ${line}`),
    );
    assert.deepEqual(wrong, []);
  });
});
