import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { AgentTerminal } from '../../src/adapters/terminal/agentTerminal';
import { diskFiles } from '../../src/adapters/files/diskFiles';
import { diskScripts } from '../../src/adapters/scripts/diskScripts';
import { ripgrepSearch } from '../../src/adapters/search/ripgrep';
import { findSandbox } from '../../src/adapters/sandbox/findSandbox';
import type { Conversation } from '../../src/core/session/conversation';
import { openQuestionHash, openQuestionPlace, undecidedActions } from '../../src/core/log/openActions';
import { eventsOfType, type History } from '../../src/core/log/projection';
import { statusOf } from '../../src/core/log/status';
import { finish } from '../../src/core/tools/native/finish';
import { runCommand } from '../../src/core/tools/native/runCommand';
import { assertAccepted, begin, call, plays, revived, says } from '../core/agent/story';
import { temporaryFolder } from '../contracts/terminal.contract';
import { temporaryWorkspace } from '../support/temporaryWorkspace';

/** A folder that the sandbox cannot write to; it has its own temporary folders. */
const elsewhere = path.join(process.env['REPOSITORY']!, 'out', `two-yeses-${process.pid}`);
const harm = path.join(elsewhere, 'harm');
const leaving = `echo out >> ${harm}`;
const lines = (): number => (fs.existsSync(harm) ? fs.readFileSync(harm, 'utf8').split('\n').length - 1 : 0);

type Session = Conversation;

/** A session with a real shell in a real sandbox, whose model calls these commands in order. */
async function session(
  commands: readonly string[],
  use: (conversation: Session, open: (saved: History) => Session) => Promise<void>,
): Promise<void> {
  const workspace = temporaryWorkspace();
  const terminals: AgentTerminal[] = [];
  const open = (saved: History = []): ReturnType<typeof begin> => {
    const terminal = new AgentTerminal({
      cwd: workspace.root,
      folders: [workspace.root],
      wanted: 'on',
      outputFolder: temporaryFolder(),
      shell: '/bin/bash',
    });
    terminals.push(terminal);
    const places = { folders: [workspace.root] };
    const environment = {
      root: workspace.root,
      files: diskFiles(places),
      search: ripgrepSearch(places),
      scripts: diskScripts(workspace.root),
      terminal,
    };
    const left = commands.slice(eventsOfType(saved, 'agent_response').length);
    const script = left.map((command, index) =>
      says('', call('run_command', { command }, `c${commands.length - left.length + index}`)),
    );
    return begin(plays(...script, says('Done.')), {
      saved,
      parts: { tools: [runCommand, finish], environment },
      first: { cwd: workspace.root },
    });
  };
  try {
    await use(await open().go(), open);
  } finally {
    await Promise.all(terminals.map((terminal) => terminal.dispose()));
    workspace.stop();
  }
}

const waiting = ({ history }: Session): string | undefined => undecidedActions(history)[0]?.id;
const places = ({ history }: Session): unknown[] =>
  eventsOfType(history, 'observation').map(({ details }) =>
    details?.kind === 'command' ? details.sandbox : undefined,
  );

describe('the two approvals, inside and outside the sandbox', function () {
  this.timeout(60_000);
  before(async function () {
    if ('none' in (await findSandbox([temporaryFolder()]))) this.skip(); // this machine does not support a sandbox
  });
  beforeEach(() => fs.mkdirSync(elsewhere, { recursive: true }));
  afterEach(() => fs.rmSync(elsewhere, { recursive: true, force: true }));

  it('say where a command will run, and the plain one means the sandbox', () =>
    session([leaving, 'true'], async (conversation) => {
      const place = openQuestionPlace('c0', conversation.history);
      assert.equal(place?.words, 'Runs in the sandbox: writes only this workspace, no network.');
      assert.deepEqual([place.runs, place.outside, place.editable], ['inside', 'possible', true]);
      conversation.approve('c0');
      await conversation.rested();
      assert.deepEqual([places(conversation)[0], lines()], ['inside', 0], 'an approved command left the sandbox');
    }));

  it('let a command run outside once; its next call is asked about again', () =>
    session([leaving, leaving, 'true'], async (conversation) => {
      conversation.approve('c0', { outside: true });
      await conversation.rested();
      assert.deepEqual([places(conversation), lines(), waiting(conversation)], [['outside'], 1, 'c1']);
      conversation.approve('c1');
      await conversation.rested();
      assert.deepEqual([places(conversation)[1], lines()], ['inside', 1]);
    }));

  it('offer outside first after the sandbox blocked the same command, and plain approval still means inside', () =>
    session([leaving, leaving, 'true'], async (conversation) => {
      conversation.approve('c0');
      await conversation.rested();
      assert.match(
        eventsOfType(conversation.history, 'observation')[0]!.content,
        /The sandbox blocked something.*only the workspace can be written.*The user is then asked/s,
      );
      assert.equal(openQuestionPlace('c1', conversation.history)?.outside, 'first');
      conversation.approve('c1');
      await conversation.rested();
      assert.deepEqual([places(conversation).slice(0, 2), lines()], [['inside', 'inside'], 0]);
    }));

  for (const [what, act] of Object.entries({
    'the mode that asks nothing': (conversation: Session) => conversation.setMode('auto'),
    'a standing permission': (conversation: Session) => {
      const [action] = undecidedActions(conversation.history);
      const { risk: within, tool } = action!;
      const [task] = eventsOfType(conversation.history, 'task_started');
      conversation.append({ type: 'allow_rule_added', rule: { tool, key: leaving, within, cwd: task!.cwd } });
      conversation.append({ type: 'confirmation_resolved', actionIds: [action!.id], approved: true, by: 'rule' });
      conversation.wake();
    },
    'a yes of a rule that claims to let it out': (conversation: Session) => {
      conversation.append({
        type: 'confirmation_resolved',
        actionIds: ['c0'],
        approved: true,
        by: 'rule',
        outside: ['c0'],
      });
      conversation.append({ type: 'settings_changed', mode: 'auto' });
      conversation.wake();
    },
  })) {
    it(`are not both given by ${what}`, () =>
      session([leaving, leaving, 'true'], async (conversation) => {
        act(conversation);
        await conversation.rested();
        if (waiting(conversation) === 'c1') conversation.refuse('c1');
        await conversation.rested();
        const ran = places(conversation);
        assert.equal(ran[0], 'inside');
        assert.ok(!ran.includes('outside'), JSON.stringify(ran));
        assert.equal(lines(), 0);
      }));
  }

  it('are not given by continuing a run, and an approval from an earlier version means inside', () =>
    session([leaving, 'true'], async (conversation, open) => {
      const resumed = open(revived(conversation.history));
      resumed.resume();
      await resumed.rested();
      assert.deepEqual([waiting(resumed), lines()], ['c0', 0]);
      const hash = openQuestionHash('c0', resumed.history)!;
      resumed.append({
        type: 'confirmation_resolved',
        actionIds: ['c0'],
        approved: true,
        by: 'person',
        hashes: { c0: hash },
      });
      const old = open(revived(resumed.history));
      old.resume();
      await old.rested();
      assert.deepEqual([places(old)[0], lines()], ['inside', 0]);
    }));

  it('cover for outside only the exact command: with another hash it is asked about again, in every mode', () =>
    session([leaving, 'true'], async (conversation) => {
      conversation.append({
        type: 'confirmation_resolved',
        actionIds: ['c0'],
        approved: true,
        by: 'person',
        outside: ['c0'],
        hashes: { c0: 'f'.repeat(64) },
      });
      conversation.append({ type: 'settings_changed', mode: 'auto' });
      conversation.wake();
      await conversation.rested();
      assert.deepEqual([statusOf(conversation.history), lines()], ['waiting_for_confirmation', 0]);
    }));

  it('keep a typed command inside as well, unless it starts with /o', () =>
    session([leaving], async (conversation) => {
      conversation.refuse('c0');
      await conversation.rested();
      conversation.setMode('human');
      conversation.say(leaving);
      await conversation.rested();
      assert.deepEqual([places(conversation).at(-1), lines()], ['inside', 0]);
      assert.match(
        eventsOfType(conversation.history, 'observation').at(-1)!.content,
        /To run it outside the sandbox, type it again after \/o\./,
      );
      conversation.say(`/o ${leaving}`);
      await conversation.rested();
      assert.deepEqual([places(conversation).at(-1), lines()], ['outside', 1]);
      assertAccepted(conversation.history);
    }));

  it('apply to a command that a person wrote instead of the model’s: it runs as written, where the person chose', () =>
    session([leaving, 'true'], async (conversation) => {
      conversation.approve('c0', { edited: `echo mine >> ${harm}`, outside: true });
      await conversation.rested();
      assert.equal(fs.readFileSync(harm, 'utf8'), 'mine\n');
      assertAccepted(conversation.history);
      const own = eventsOfType(conversation.history, 'agent_response').find(({ by }) => by === 'person')!;
      assert.deepEqual([own.instead, own.actions[0]!.input], ['c0', { command: `echo mine >> ${harm}` }]);
      const [refused, ran] = eventsOfType(conversation.history, 'observation');
      assert.deepEqual(
        [refused!.actionId, refused!.outcome, ran!.actionId, ran!.outcome],
        ['c0', 'rejected', own.actions[0]!.id, 'ok'],
      );
      assert.match(refused!.content, /The user edited this command/);
    }));

  it('are requested again if the person’s command is riskier than the question showed', () =>
    session([leaving, 'true'], async (conversation) => {
      conversation.approve('c0', { edited: 'rm -rf /', outside: true });
      await conversation.rested();
      const [action] = undecidedActions(conversation.history);
      assert.deepEqual([action?.input, action?.risk.floor], [{ command: 'rm -rf /' }, true]);
      conversation.refuse(action!.id);
      await conversation.rested();
      assertAccepted(conversation.history);
    }));
});
