import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import type { Place } from '../../conformance/support/world';
import { agree, assertAsked, command, type HostileWorld } from './hostileWorld';

/** A command that hides what it does. */
export interface Trick {
  readonly command: string;
  /** What the person is told. */
  readonly says: RegExp;
  readonly files?: Readonly<Record<string, string>>;
  /** Set where a yes would show that it is no sham: beside the workspace folder there is `pwned` then. */
  readonly real?: true;
}

/**
 * Each is asked about as it is, and leaves nothing before somebody agrees; where it
 * is `real`, it does its harm after a yes.
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
    // What stands between <( and ) may end after the command.
    for (let waited = 0; !world.harmed(place) && waited < 200; waited++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(world.harmed(place), true, `the trick is a sham: ${about}`);
    fs.rmSync(path.join(place.workspace.root, '..', 'pwned'));
  }
}
