import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { AgentTerminal } from '../../../src/adapters/terminal/agentTerminal';
import { onPath } from '../../../src/adapters/processes/onPath';
import { call, plays, says } from '../../conformance/support/script';
import type { Place } from '../../conformance/support/world';
import { temporaryFolder } from '../../contracts/terminal.contract';
import type { HostileWorld } from '../incidents/hostileWorld';
import { evilProgram, mark, type Attack } from './attacks';

/** True if the mark was created, inside or beside the workspace. */
const isMarked = ({ workspace }: Place): boolean =>
  [workspace.at(mark), path.join(workspace.root, '..', mark)].some((file) => fs.existsSync(file));

function unmark({ workspace }: Place): void {
  for (const file of [workspace.at(mark), path.join(workspace.root, '..', mark)]) fs.rmSync(file, { force: true });
}

/** A folder with the trap, and a session there whose terminal starts with the environment that the trap needs. */
function trapped(
  world: HostileWorld,
  attack: Attack,
  wanted: 'off' | 'on',
): { readonly place: Place; readonly environment: NodeJS.ProcessEnv } {
  const place = world.repository({ 'src/a.txt': 'one\n' });
  const { root } = place.workspace;
  const evil = evilProgram(place.workspace);
  attack.plant(place.workspace, evil);
  const extra = attack.environment?.(root, evil) ?? {};
  const environment = { ...process.env, ...extra };
  const terminal = new AgentTerminal({
    cwd: root,
    folders: [root],
    wanted,
    outputFolder: temporaryFolder(),
    shell: '/bin/bash',
    environment,
    passEnvironment: Object.keys(extra),
  });
  world.after(() => terminal.dispose());
  return { place: { ...place, environment: { ...place.environment, terminal } }, environment };
}

/** True if this machine has the programs that the trap needs. */
export const canBeTried = ({ needs = [] }: Attack): boolean => needs.every((name) => onPath(name, []).length > 0);

/**
 * Asserts that in plan mode the command runs without running anything of the repository, although a plain shell
 * triggers the trap.
 */
export async function assertRunsNothing(world: HostileWorld, attack: Attack, wanted: 'off' | 'on'): Promise<void> {
  const { place, environment } = trapped(world, attack, wanted);
  const inPlainShell = [...(attack.before ?? []), attack.command].join('\n');
  spawnSync('/bin/bash', ['-c', inPlainShell], {
    cwd: place.workspace.root,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  if (!attack.uncertain)
    assert.ok(isMarked(place), 'a plain shell does not fall into the trap, so that it proves nothing');
  unmark(place);
  for (const command of attack.before ?? [])
    await place.environment.terminal.run(command, {
      // Some of these never return, because the shell integration triggers the trap as well.
      timeoutMs: 10_000,
      tty: false,
      signal: new AbortController().signal,
    });
  unmark(place);
  const model = plays(says('', call('run_command', { command: attack.command })), says('A plan.'));
  const run = await world.begin({ profile: 'waymark', model, place, mode: 'plan', confirmation: 'never' });
  await run.go();
  assert.ok(
    run.conversation.history.some((event) => event.type === 'observation'),
    'the command was answered',
  );
  assert.equal(isMarked(place), false, 'a program of the repository ran in plan mode');
}
