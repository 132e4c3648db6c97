import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import type { Place } from '../../conformance/support/world';
import { agree, assertAsked, command, type HostileWorld } from './hostileWorld';

/** A command that hides its effect. */
export interface Trick {
  readonly command: string;
  /** Text shown to the user. */
  readonly says: RegExp;
  readonly files?: Readonly<Record<string, string>>;
  /** Set if the command really does harm after approval: it creates `pwned` beside the workspace folder. */
  readonly real?: true;
}

/**
 * Asserts that each command asks as written and leaves nothing before approval. If it is `real`, it does its harm after
 * approval.
 */
export async function asksAbout(
  world: HostileWorld,
  tricks: readonly Trick[],
  { place = world.repository() }: { place?: Place } = {},
): Promise<void> {
  for (const { command: text, says, files = {}, real } of tricks) {
    const about = JSON.stringify(text);
    for (const [name, content] of Object.entries(files)) {
      place.workspace.place(name, content);
      if (content.startsWith('#!')) fs.chmodSync(place.workspace.at(name), 0o755);
    }
    const obeyed = await world.obey(command(text), { place });
    const asked = assertAsked(obeyed, says, about);
    assert.deepEqual(asked.input, { command: text }, `what is shown is what would run: ${about}`);
    assert.equal(world.harmed(place), false, `it ran unasked: ${about}`);
    if (!real) continue;
    await agree(obeyed);
    // The process in <( ) may outlive the command.
    for (let waited = 0; !world.harmed(place) && waited < 200; waited++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(world.harmed(place), true, `the trick is a sham: ${about}`);
    fs.rmSync(path.join(place.workspace.root, '..', 'pwned'));
  }
}
