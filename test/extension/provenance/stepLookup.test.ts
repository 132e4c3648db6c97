import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { Sessions } from '../../../src/adapters/sessions/sessions';
import type { OpenSessions } from '../../../src/extension/sessions/openSessions';
import { StepLookup } from '../../../src/extension/provenance/stepLookup';
import { task } from '../../core/agent/story';
import { calls, logOf, result } from '../../core/condense/logs';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';

describe('the step of a line', () => {
  it('is found in a log that is not open, and is marked as doubtful if that log was modified', async () => {
    const folder = temporaryWorkspace();
    try {
      const stored = new Sessions(folder.at('sessions'));
      const lookup = new StepLookup({ get: () => undefined, stored } as unknown as OpenSessions);
      const [first, ...rest] = logOf(task, calls(['a']), result('a'), calls(['b']), result('b'));
      const { store } = stored.open('one');
      for (const event of [first!, ...rest.slice(0, 2)]) store!.append(event);
      await store!.durable();
      assert.deepEqual(
        [
          (await lookup.find({ session: 'one', action: 'a' }))?.step,
          (await lookup.find({ session: 'one', action: 'a' }))?.doubtful,
        ],
        [1, false],
      );
      assert.equal(await lookup.find({ session: 'one', action: 'b' }), undefined);
      for (const event of rest.slice(2)) store!.append(event);
      await store!.close();
      fs.utimesSync(stored.logOf('one'), new Date(), new Date(Date.now() + 2000));
      assert.equal((await lookup.find({ session: 'one', action: 'b' }))?.step, 2);
      const whole = fs.readFileSync(stored.logOf('one'), 'utf8');
      fs.writeFileSync(stored.logOf('one'), whole.replaceAll('"Next."', '"Nexx."'));
      fs.utimesSync(stored.logOf('one'), new Date(), new Date(Date.now() + 4000));
      const changed = await lookup.find({ session: 'one', action: 'a' });
      assert.ok(changed === undefined || changed.doubtful, 'a log that was changed is believed');
      fs.writeFileSync(
        stored.logOf('one'),
        whole.replace(/"text":"Next\."([^]*)"text":"Next\."/, '"text":"Next."$1"text":"Nexx."'),
      );
      fs.utimesSync(stored.logOf('one'), new Date(), new Date(Date.now() + 6000));
      assert.equal((await lookup.find({ session: 'one', action: 'a' }))?.doubtful, true);
      assert.equal(await lookup.find({ session: 'gone', action: 'a' }), undefined);
    } finally {
      folder.stop();
    }
  });
});
