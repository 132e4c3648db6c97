import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { readEventLog } from '../../../src/adapters/log/eventLog';
import { wholeTree } from '../../adapters/checkpoints/wholeTree';
import { answer, reply, type Answering, type RecordedRequest, type ReplyOptions } from '../../support/modelServer';
import { ensureBuilt, onMachine, until, type Ended, type Machine, worktreesIn } from '../support/commandLine';

function git({ workspace }: Machine, ...args: string[]): string {
  const named = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  return execFileSync('git', [...named, ...args], { cwd: workspace.root, encoding: 'utf8', stdio: 'pipe' });
}

function populate(machine: Machine): void {
  git(machine, 'init', '-q', '-b', 'main');
  machine.workspace.place('readme.txt', 'Sums.\n');
  git(machine, 'add', '-A');
  git(machine, 'commit', '-qm', 'First.');
}

type Message = RecordedRequest['body']['messages'][number];

/** Answers of one candidate by step, from 0. The first answer is a call. */
type Script = (step: number) => ReplyOptions;

const calls = (tool: string, input: unknown): ReplyOptions => ({ calls: [{ tool, input }] });
const done: ReplyOptions = { text: 'Done.' };

const writes =
  (content: string): Script =>
  (step) =>
    step === 0 ? calls('write_file', { path: 'sum.sh', content }) : done;

/** Never ends by itself. */
const looksForEver: Script = () => calls('run_command', { command: 'cat readme.txt' });

/** Number of seconds that no other command of this machine sleeps. */
const nap = 86_400 + (process.pid % 10_000);
const waits: Script = () => calls('run_command', { command: `sleep ${nap}`, timeout: 600 });

/** Each candidate identifies itself with its first call, because all of them send the same first request. */
const markOf = (candidate: number): string => `I am number ${candidate}.`;

function numberIn(messages: readonly Message[]): number | undefined {
  const said = JSON.stringify(messages.find(({ role }) => role === 'assistant') ?? '');
  const [, digits] = /I am number (\d+)\./.exec(said) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

const isJudged = ({ body }: RecordedRequest): boolean =>
  JSON.stringify(body.messages[0]).includes('You compare the results of several coding agents');

/** Serves several candidates, in any order of requests, and the judge with one server. */
function candidates(scripts: readonly Script[], judge = ''): Answering[] {
  let begun = 0;
  const play: Answering = (request) => {
    if (isJudged(request)) return reply(judge);
    const { messages } = request.body;
    const known = numberIn(messages);
    const number = known ?? begun++;
    const step = messages.filter(({ role }) => role === 'assistant').length;
    const played = scripts[number]!(step);
    return answer(known === undefined ? { ...played, text: markOf(number) } : played);
  };
  return Array.from({ length: 60 }, () => play);
}

const argsOf = ({ server, workspace }: Machine, ...options: string[]): string[] => [
  'run',
  'Print the sum of 2 and 3.',
  ...['--base-url', server.baseUrl, '--model', 'gpt-5', '--cwd', workspace.root, '--confirm', 'never'],
  ...options,
];

interface Told {
  readonly logs: readonly string[];
  readonly chosen?: number;
  readonly by: string;
  readonly reason: string;
  readonly candidates: readonly { status: string; reason: string; files: number; check?: { passed: boolean } }[];
}

/** Parses the last line of `--json`. */
function comparisonIn({ stdout, stderr }: Ended): Told {
  const last = stdout.trimEnd().split('\n').at(-1)!;
  assert.match(last, /^\{"comparison"/, `${stdout}\n${stderr}`);
  return (JSON.parse(last) as { comparison: Told }).comparison;
}

const isTheSum = 'test "$(sh sum.sh)" = 5';

describe('waymark run --best-of', function () {
  this.timeout(300_000);
  before(ensureBuilt);

  it('chooses the candidate that passes the check and changes the folder only when it is brought back', () =>
    onMachine(candidates([writes('echo 4\n'), writes('echo 5\n'), looksForEver]), async (machine) => {
      populate(machine);
      const before = wholeTree(machine.workspace.root);
      const options = ['--best-of', '3', '--check', isTheSum, '--max-steps', '4', '--json'];
      const ended = await machine.start(argsOf(machine, ...options)).ended;
      assert.equal(ended.code, 0, ended.stderr);
      assert.deepEqual(wholeTree(machine.workspace.root), before, 'neither runs nor checks write the folder');

      const told = comparisonIn(ended);
      const winner = told.candidates.findIndex(({ check }) => check?.passed);
      assert.deepEqual([told.chosen, told.by], [winner, 'check'], JSON.stringify(told));
      const statuses = told.candidates.map(({ status }) => status).sort();
      assert.deepEqual(statuses, ['done', 'done', 'limit']);
      const limited = told.candidates.find(({ status }) => status === 'limit')!;
      assert.match(limited.reason, /4/, 'the limit is named');
      assert.equal(limited.check, undefined, 'what was not done is not checked');

      // Each log records what was compared.
      for (const log of told.logs) {
        const notices = readEventLog(log).events.filter((event) => event.type === 'notice' && event.compared);
        assert.equal(notices.length, 1, log);
        assert.ok(notices[0]?.type === 'notice');
        assert.equal(notices[0].compared?.chosen, winner);
      }

      // The candidate without changes left no worktree; the other two are pending.
      assert.equal(worktreesIn(machine).length, 2);
      const brought = await machine.start(['bring-back', 'last']).ended;
      assert.equal(brought.code, 0, brought.stderr);
      assert.equal(machine.workspace.bytes('sum.sh')?.toString(), 'echo 5\n');
    }));

  it('lets the model judge if there is no check, and counts the cost of judging once', () =>
    onMachine(
      candidates([writes('echo 4\n'), writes('echo $((2 + 3))\n')], 'The second one adds.\n2'),
      async (machine) => {
        populate(machine);
        const ended = await machine.start(argsOf(machine, '--best-of', '2', '--json')).ended;
        assert.equal(ended.code, 0, ended.stderr);
        const told = comparisonIn(ended);
        assert.deepEqual([told.chosen, told.by], [1, 'llm'], JSON.stringify(told));
        const asked = machine.server.requests.filter(isJudged);
        assert.equal(asked.length, 1);
        const prompt = JSON.stringify(asked[0]!.body.messages);
        for (const part of ['Print the sum of 2 and 3.', '+echo 4', '+echo $((2 + 3))', 'Done.'])
          assert.ok(prompt.includes(part), `${part} in ${prompt}`);
        const costs = told.logs.map((log) =>
          readEventLog(log).events.some((event) => event.type === 'notice' && event.compared && event.usage),
        );
        assert.deepEqual(costs, [false, true]);
      },
    ));

  it('chooses none if no candidate passes, and says why', () =>
    onMachine(candidates([writes('echo 4\n'), writes('exit 7\n')]), async (machine) => {
      populate(machine);
      machine.workspace.place('mine.txt', 'of the person\n');
      const ended = await machine.start(argsOf(machine, '--best-of', '2', '--check', isTheSum)).ended;
      const notes = ended.stderr.match(/without 1 changed file of the folder/g);
      assert.equal(notes?.length, 1, `said once for all candidates: ${ended.stderr}`);
      assert.equal(ended.code, 1, ended.stderr);
      assert.match(ended.stdout, /Candidate 1: done, 1 file \+1 −0, check failed with exit code 1/);
      assert.match(ended.stdout, /No candidate passed test/);
      assert.equal(worktreesIn(machine).length, 2, 'their work waits');
    }));

  it('distinguishes candidates that differ in binary files, and shows no secret to the judge or the log', () => {
    const secret = 'zebra-quartz-hunter2-9911';
    const draws =
      (byte: string): Script =>
      (step) =>
        step === 0 ? calls('run_command', { command: `printf '\\000${byte}' > picture.bin` }) : done;
    return onMachine(candidates([draws('a'), draws('b')], 'Both are fine.\n2'), async (machine) => {
      populate(machine);
      machine.workspace.place('sub/.env', `API_SECRET=${secret}\n`);
      git(machine, 'add', '-A', '-f');
      git(machine, 'commit', '-qm', 'With a secret.');
      const options = ['--best-of', '2', '--check', 'cat sub/.env; echo checked', '--verifier', 'llm', '--json'];
      const ended = await machine.start(argsOf(machine, ...options)).ended;
      assert.equal(ended.code, 0, ended.stderr);
      const told = comparisonIn(ended);
      assert.deepEqual([told.chosen, told.by], [1, 'llm'], 'the two pictures are not the same');
      const prompt = JSON.stringify(machine.server.requests.find(isJudged)!.body.messages);
      assert.match(prompt, /checked/, 'the judge reads what the check printed');
      const logs = told.logs.map((log) => fs.readFileSync(log, 'utf8'));
      for (const text of [prompt, ended.stdout, ended.stderr, ...logs]) assert.ok(!text.includes(secret), text);
    });
  });

  it('counts a killed candidate as one failed candidate and ends its commands', () =>
    onMachine(candidates([writes('echo 5\n'), waits]), async (machine) => {
      populate(machine);
      const running = machine.start(argsOf(machine, '--best-of', '2', '--json'));
      await until(
        'One candidate ends and the other one waits',
        () => waitingCommands() > 0 && candidatesOf(running.child.pid).length === 1,
      );
      process.kill(candidatesOf(running.child.pid)[0]!, 'SIGKILL');
      const ended = await running.ended;
      assert.equal(ended.code, 0, ended.stderr);
      const told = comparisonIn(ended);
      const killed = told.candidates.find(({ status }) => status === 'crashed');
      assert.match(killed?.reason ?? '', /SIGKILL/, JSON.stringify(told));
      assert.equal(told.by, 'only_one');
      await until('The command of the killed candidate ends', () => waitingCommands() === 0);
    }));

  it('stops all candidates at one Ctrl-C and leaves no worktree of those without changes', () =>
    onMachine(candidates([waits, waits]), async (machine) => {
      populate(machine);
      const running = machine.start(argsOf(machine, '--best-of', '2'));
      await until('Both candidates begin to wait', () => waitingCommands() >= 2);
      running.child.kill('SIGINT');
      const { code, stderr } = await running.ended;
      assert.equal(code, 130, stderr);
      assert.match(stderr, /Stopped: 2 candidates/);
      assert.deepEqual(worktreesIn(machine), []);
      assert.equal(waitingCommands(), 0, 'their commands are gone');
    }));

  it('stops a check that hangs at one Ctrl-C, chooses none and keeps the work of the candidates', () =>
    onMachine(candidates([writes('echo 5\n'), writes('echo 6\n')]), async (machine) => {
      populate(machine);
      const running = machine.start(argsOf(machine, '--best-of', '2', '--check', `sleep ${nap}`));
      await until('The first check begins to wait', () => waitingCommands() > 0);
      running.child.kill('SIGINT');
      const { code, stderr } = await running.ended;
      assert.equal(code, 130, stderr);
      assert.match(stderr, /None was chosen/);
      assert.equal(worktreesIn(machine).length, 2);
      await until('The check ends', () => waitingCommands() === 0);
    }));

  it('refuses options that it cannot follow before it asks a model', () =>
    onMachine([], async (machine) => {
      const outside = await machine.start(argsOf(machine, '--best-of', '2')).ended;
      assert.equal(outside.code, 1);
      assert.match(outside.stderr, /is not in a Git repository/);
      populate(machine);
      const cases: [string[], RegExp][] = [
        [['--best-of', '1'], /number from 2 to 20/],
        [['--best-of', '2', '--log', machine.log], /--log applies to one session/],
        [['--check', 'true'], /--check and --check-seconds require --best-of/],
        [['--best-of', '2', '--apply-edits', 'afterReview'], /no candidate changes a file/],
      ];
      for (const [options, words] of cases) {
        const { code, stderr } = await machine.start(argsOf(machine, ...options)).ended;
        assert.equal(code, 1, stderr);
        assert.match(stderr, words);
      }
      assert.equal(machine.server.requests.length, 0);
      assert.deepEqual(worktreesIn(machine), []);
    }));
});

/** Processes whose command line contains these words. */
function processesWith(...words: readonly string[]): number[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const line = fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
        return words.every((word) => line.includes(word));
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Number of sleeping commands that are alive. */
const waitingCommands = (): number => processesWith('sleep', String(nap)).length;

/** Processes of the candidates of a run. */
function candidatesOf(parent: number | undefined): number[] {
  return processesWith('best-of-candidate').filter((id) => {
    try {
      return new RegExp(`^PPid:\\s*${parent}$`, 'm').test(fs.readFileSync(`/proc/${id}/status`, 'utf8'));
    } catch {
      return false;
    }
  });
}
