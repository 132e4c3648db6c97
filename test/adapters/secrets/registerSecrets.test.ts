import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { registerSecrets } from '../../../src/adapters/secrets/dotenvSecrets';
import { secrets } from '../../../src/core/secrets/secrets';
import { Event } from '../../../src/protocol/events/event';

describe('registerSecrets', () => {
  it('learns the .env of the folder of the run and of the open folders', async () => {
    const folders = [0, 1].map(() => fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-learn-')));
    const values = folders.map((folder, index) => {
      const value = ['zt', 'est', `le4rn${index}`, 'Q7x9Lm2'].join('_');
      fs.writeFileSync(path.join(folder, '.env'), `SERVICE_TOKEN=${value}\n`);
      return value;
    });
    const started = Event.parse({
      seq: 0,
      at: 1,
      type: 'task_started',
      task: 'Look.',
      title: 'Look',
      systemPrompt: '',
      model: { name: 'm', provider: 'p', contextWindow: null },
      tools: [],
      cwd: folders[0],
      confirmation: 'never',
      limits: { steps: 0, cost: 0, seconds: 0 },
    });
    assert.equal(secrets.mask(values.join(' ')), values.join(' '));
    await registerSecrets([started], [folders[1]!]);
    assert.equal(secrets.mask(values.join(' ')), '[masked secret] [masked secret]');
    for (const folder of folders) fs.rmSync(folder, { recursive: true });
  });
});
