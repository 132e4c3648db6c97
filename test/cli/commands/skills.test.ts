import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { reply } from '../../support/modelServer';
import { cliWords, ensureBuilt, keepsCompiledCode, onMachine } from '../support/commandLine';

const cases = path.join(process.env['REPOSITORY']!, 'test/fixtures/skills');

interface Expected {
  readonly model?: string;
  readonly skills: readonly Record<string, unknown>[];
}
type Found = Record<string, unknown> & { readonly problems: readonly Record<string, unknown>[] };

/**
 * The tree of cases is the specification: each contains a workspace and the expected results, as far as they are
 * specified.
 */
describe('the skills of a folder', () => {
  let home: string;
  let copies: string;
  before(() => {
    ensureBuilt();
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-home-'));
    keepsCompiledCode(path.join(home, 'state'));
    // Outside this repository, because its own files would be found in the parent folders.
    copies = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-cases-'));
    fs.cpSync(cases, copies, { recursive: true });
  });
  after(() => {
    for (const folder of [home, copies]) fs.rmSync(folder, { recursive: true, force: true });
  });

  const skills = (
    cwd: string,
    ...options: string[]
  ): Promise<{ code: number | null; stdout: string; stderr: string }> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [...cliWords, 'skills', '--cwd', cwd, ...options], {
        env: { ...process.env, HOME: home, XDG_STATE_HOME: path.join(home, 'state') },
      });
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => {
        stdout += chunk.toString();
      });
      child.stderr.on('data', (chunk: Buffer) => {
        stderr += chunk.toString();
      });
      child.on('close', (code) => resolve({ code, stdout, stderr }));
    });

  const names = fs.readdirSync(cases).filter((name) => name !== 'README.md');
  for (const name of names) {
    const readme = path.join(cases, name, 'README.md');
    const about = fs.existsSync(readme) ? `${name}: ${fs.readFileSync(readme, 'utf8').trim()}` : name;
    it(`are found as specified (${about})`, async () => {
      const { model, skills: expected } = JSON.parse(
        fs.readFileSync(path.join(cases, name, 'expected.json'), 'utf8'),
      ) as Expected;
      const { code, stdout, stderr } = await skills(
        path.join(copies, name, 'workspace'),
        '--json',
        ...(model ? ['--model', model] : []),
      );
      assert.deepEqual([code, stderr], [0, '']);
      const found = JSON.parse(stdout) as Found[];
      assert.deepEqual(
        found.map((each, index) => onlyWhat(each, expected[index] ?? {})),
        expected,
      );
    });
  }

  it('are listed with their problems, and with the reason if one is not used', async () => {
    const { stdout } = await skills(path.join(copies, 'name-mismatch', 'workspace'));
    assert.match(
      stdout,
      /^word {2}\(skill, \d+ tokens, \.agent\/skills\/pdf\/SKILL\.md, not used yet\)\n {2}Reads files\.\n {2}error \.agent\/skills\/pdf\/SKILL\.md:2:7 The name must be the same as the name of the folder, "pdf"\.\n$/,
    );
    assert.match(
      (await skills(path.join(copies, 'precedence', 'workspace'))).stdout,
      /not used: \.agent\/skills\/pdf\/SKILL\.md has the same name and takes precedence\./,
    );
    assert.match((await skills(home)).stdout, /No skills or instructions found/);
  });

  it('come from the home folder and from parent folders up to the root of the repository', async () => {
    const put = (file: string, text: string): void => {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text);
    };
    const skill = (name: string): string => `---\nname: ${name}\ndescription: ${name}.\n---\n${name}\n`;
    const outer = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-above-'));
    const inner = path.join(outer, 'repository/packages/a');
    try {
      fs.mkdirSync(inner, { recursive: true });
      fs.mkdirSync(path.join(outer, 'repository/.git'));
      put(path.join(outer, '.agents/skills/beyond/SKILL.md'), skill('beyond'));
      put(path.join(outer, 'repository/.agents/skills/above/SKILL.md'), skill('above'));
      put(path.join(outer, 'repository/.github/skills/copilot-above/SKILL.md'), skill('copilot-above'));
      put(path.join(home, '.copilot/skills/copilot-mine/SKILL.md'), skill('copilot-mine'));
      put(path.join(home, '.github/skills/nowhere/SKILL.md'), skill('nowhere'));
      put(path.join(outer, 'repository/AGENTS.md'), 'All of the repository.');
      put(path.join(home, '.agents/skills/mine/SKILL.md'), skill('mine'));
      put(path.join(outer, 'secret.md'), 'Not to be read.');
      fs.symlinkSync(path.join(outer, 'secret.md'), path.join(inner, 'AGENTS.md'));
      put(path.join(inner, 'shared/own/SKILL.md'), skill('own'));
      fs.mkdirSync(path.join(inner, '.claude'));
      fs.symlinkSync('../shared', path.join(inner, '.claude/skills'));
      const found = JSON.parse((await skills(inner, '--json')).stdout) as Found[];
      assert.deepEqual(found.map(({ name }) => name).sort(), [
        'AGENTS.md',
        'above',
        'copilot-above',
        'copilot-mine',
        'mine',
        'own',
      ]);
      assert.equal(found.find(({ name }) => name === 'AGENTS.md')!['kind'], 'always');
    } finally {
      fs.rmSync(outer, { recursive: true, force: true });
      for (const folder of ['.agents', '.copilot', '.github'])
        fs.rmSync(path.join(home, folder), { recursive: true, force: true });
    }
  });
});

/** Reduces `found` to the fields that `expected` contains. */
function onlyWhat(found: Found, expected: Record<string, unknown>): Record<string, unknown> {
  const problems = expected['problems'] as readonly Record<string, unknown>[] | undefined;
  return Object.fromEntries(
    Object.keys(expected).map((key) => [
      key,
      key === 'problems' && problems
        ? found.problems.map((problem, index) =>
            Object.fromEntries(Object.keys(problems[index] ?? problem).map((field) => [field, problem[field]])),
          )
        : found[key],
    ]),
  );
}

describe('a command of a folder', () => {
  before(ensureBuilt);

  it('is called by its name, and the commands in its text do not run', () =>
    onMachine([reply('Done.')], async ({ run, workspace, server }) => {
      const text = 'State: !`touch ran.txt; echo injected`\nShip $ARGUMENTS.\n';
      workspace.place('.claude/commands/ship.md', `---\nallowed-tools: Bash\n---\n${text}`);
      const { code, stderr } = await run('/ship v2');
      assert.equal(code, 0, stderr);
      const told = JSON.stringify(server.requests[0]!.body.messages);
      assert.ok(told.includes('State: !`touch ran.txt; echo injected`\\nShip v2.'), told);
      assert.equal(workspace.bytes('ran.txt'), undefined);
    }));
});
