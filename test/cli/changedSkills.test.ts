import { strict as assert } from 'node:assert';
import fs from 'node:fs/promises';
import { eventsOfType } from '../../src/core/log/projection';
import { reply, toolCall, type Answering } from '../support/modelServer';
import { ensureBuilt, onMachine, type Machine } from './support/commandLine';
import { sitDown } from './support/sitDown';
import { eventsPrinted } from '../support/loggedEvents';

/** A folder that instructed the agent once, and whose AGENTS.md has changed since. */
const changed = (answers: readonly Answering[], use: (machine: Machine) => Promise<void>): Promise<void> =>
  onMachine([reply('Ready.'), ...answers], async (machine) => {
    machine.workspace.place('AGENTS.md', 'Tabs, never spaces.\n');
    machine.workspace.place('.agent/skills/cake/SKILL.md', '---\nname: cake\ndescription: Bakes.\n---\nStir.\n');
    assert.equal((await machine.run('Begin.')).stderr, '', 'what is used for the first time is used at once');
    machine.workspace.place('AGENTS.md', 'Tabs, never spaces.\nPush to the main branch.\n');
    await use(machine);
  });

const another = (machine: Machine): string[] => ['--log', `${machine.log}.next`];
const taught = (machine: Machine): string => JSON.stringify(machine.server.requests.at(-1)!.body.messages[0]);

describe('a run whose instruction files have changed', function () {
  this.timeout(60_000);
  before(ensureBuilt);

  it('continues without them and says on stderr which files, why, and what to do', () =>
    changed([reply('Done.')], async (machine) => {
      const { code, stderr, stdout } = await machine.run('Go.', ...another(machine));
      assert.deepEqual(
        [code, stderr],
        [
          0,
          'Skipped, because it changed since its last use: AGENTS.md. Review the changes with "waymark skills --review", which asks at a terminal; --agree skills approves them without asking.\n',
        ],
      );
      assert.doesNotMatch(stdout, /Skipped/, 'it is said once');
      assert.match(await fs.readFile(`${machine.log}.next`, 'utf8'), /"skills_left_out"/);
      assert.doesNotMatch(taught(machine), /Push to the main|never spaces/);
    }));

  it('reports them in the events of --json', () =>
    changed([reply('Done.')], async (machine) => {
      const { stdout } = await machine.run('Go.', '--json', ...another(machine));
      assert.deepEqual(
        eventsOfType(eventsPrinted(stdout), 'notice').map(({ level, about, files }) => ({ level, about, files })),
        [{ level: 'warning', about: 'skills_left_out', files: ['AGENTS.md'] }],
      );
    }));

  for (const what of ['skills', 'hooks,skills', 'all']) {
    it(`uses them with --agree ${what}, in this run and in later runs`, () =>
      changed([reply('Done.'), reply('Done.')], async (machine) => {
        for (const options of [['--agree', what], []]) {
          const { stderr } = await machine.run('Go.', '--log', `${machine.log}.${options.length}`, ...options);
          assert.equal(stderr, '');
          assert.match(taught(machine), /Push to the main branch/);
        }
      }));
  }

  it('does not accept them with --agree hooks, and refuses unknown values of --agree', () =>
    changed([reply('Done.')], async (machine) => {
      assert.match((await machine.run('Go.', '--agree', 'hooks', ...another(machine))).stderr, /^Skipped/);
      assert.match(
        (await machine.run('Go.', '--agree', 'everything', ...another(machine))).stderr,
        /It must be one or more of skills, hooks, mcp, all\./,
      );
    }));

  it('shows the change at a terminal and asks; only typing y agrees', () =>
    changed([reply('Done.'), reply('Done.')], async (machine) => {
      const no = sitDown(machine, 'Go.', ...another(machine));
      await no.reads(/AGENTS\.md instructs the agent and changed since its last use/);
      await no.reads(/\+Push to the main branch\./);
      await no.reads(/Use the current version\? y = yes/);
      await no.types('\r');
      await no.reads(/Skipped, because it changed/);
      assert.equal(await no.leaves(), 0);
      assert.doesNotMatch(taught(machine), /never spaces/);
      const yes = sitDown(machine, 'Go.', '--log', `${machine.log}.third`);
      await yes.reads(/Use the current version\? y = yes/);
      await yes.types('y\r');
      assert.equal(await yes.leaves(), 0);
      assert.match(taught(machine), /Push to the main branch/);
    }));
});

describe('waymark skills with changed files', function () {
  this.timeout(60_000);
  before(ensureBuilt);
  const skills = ({ start, workspace }: Machine, ...options: string[]) =>
    start(['skills', '--cwd', workspace.root, ...options]).ended;

  it('lists each file as new, changed or agreed to', () =>
    changed([], async (machine) => {
      machine.workspace.place('.agent/rule.md', 'New here.\n');
      const { stdout } = await skills(machine, '--json');
      const found = JSON.parse(stdout) as { path: string; trust: string; used: boolean }[];
      assert.deepEqual(
        found.map(({ path, trust, used }) => [path, trust, used]),
        [
          ['.agent/skills/cake/SKILL.md', 'agreed', true],
          ['.agent/rule.md', 'new', true],
          ['AGENTS.md', 'changed', false],
        ],
      );
      const words = (await skills(machine)).stdout;
      assert.match(words, /^AGENTS\.md {2}\(always, \d+ tokens, AGENTS\.md, changed\)$/m);
      assert.match(words, /\n1 changed and waits: "waymark skills --review" shows the changes and asks\.\n$/);
    }));

  it('shows the change with --review, exits with 3 if nobody can be asked, and agrees with --agree', () =>
    changed([], async (machine) => {
      const shown = await skills(machine, '--review');
      assert.deepEqual([shown.code, /^AGENTS\.md\n[^]*^\+Push to the main branch\.$/m.test(shown.stdout)], [3, true]);
      assert.match(shown.stderr, /^Skipped, because it changed/);
      const agreed = await skills(machine, '--agree');
      assert.deepEqual([agreed.code, agreed.stderr], [0, '']);
      assert.deepEqual(await skills(machine, '--review'), {
        code: 0,
        stdout: 'No skills or instructions changed since they were last used.\n',
        stderr: '',
      });
    }));

  it('handles a changed page of a skill: the model gets a note, --review shows the change, --agree accepts it', () => {
    const asks = toolCall('use_skill', { name: 'cake', file: 'references/oven.md' });
    return changed([asks, reply('Read.'), asks, reply('Left.'), asks, reply('Read.')], async (machine) => {
      const page = '.agent/skills/cake/references/oven.md';
      const observed = async (name: string, ...options: string[]): Promise<readonly [string, string | undefined]> => {
        const { stdout, stderr } = await machine.run('Bake.', '--json', '--log', `${machine.log}.${name}`, ...options);
        return [stderr, eventsOfType(eventsPrinted(stdout), 'observation')[0]?.content];
      };
      machine.workspace.place(page, 'Hot.\n');
      assert.deepEqual(await observed('first', '--agree', 'skills'), ['', 'Hot.\n']);
      machine.workspace.place(page, 'Send it away.\n');
      const [said, content] = await observed('second');
      assert.match(
        said,
        /^Skipped, because it changed since its last use: \.agent\/skills\/cake\/references\/oven\.md\./,
      );
      assert.match(content!, /"references\/oven\.md" of the skill cake has changed since it was last used/);
      assert.match(
        (await skills(machine)).stdout,
        /^\.agent\/skills\/cake\/references\/oven\.md {2}\(page of a skill, changed\)\n\n1 changed and waits:/m,
      );
      const shown = await skills(machine, '--review');
      assert.deepEqual([shown.code, /^-Hot\.\n\+Send it away\.$/m.test(shown.stdout)], [3, true]);
      assert.equal((await skills(machine, '--agree')).code, 0);
      assert.deepEqual(await observed('third'), ['', 'Send it away.\n']);
    });
  });
});
