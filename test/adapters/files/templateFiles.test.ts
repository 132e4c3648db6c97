import { strict as assert } from 'node:assert';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { profileIn, readTemplates, templatesIn } from '../../../src/adapters/files/templateFiles';
import { profileNamed } from '../../../src/core/profiles/profiles';

describe('template files', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'waymark-templates-'));
  });
  afterEach(() => fs.rm(folder, { recursive: true }));
  const write = async (name: string, text: string | Buffer): Promise<string> => {
    await fs.writeFile(path.join(folder, name), text);
    return path.join(folder, name);
  };

  it('of a profile are found by name in a folder', async () => {
    const system = await write('mini.system.jinja', '\ufeffone\r\ntwo\r\n');
    const error = await write('mini.format-error.jinja', '{{ error }}');
    await write('mini-v1.system.jinja', 'of another profile');
    await write('mini.notes.md', 'no template');
    assert.deepEqual(await templatesIn(folder, 'mini'), {
      templates: { system: 'one\ntwo\n', formatError: '{{ error }}' },
      sources: { system, formatError: error },
    });
  });

  it('are empty if the folder does not exist', async () => {
    assert.deepEqual(await templatesIn(path.join(folder, 'none'), 'mini'), { templates: {}, sources: {} });
  });

  it('with an unknown kind are refused by name', async () => {
    await write('mini.sistem.jinja', 'x');
    await assert.rejects(
      templatesIn(folder, 'mini'),
      /mini\.sistem\.jinja is not a template of the profile mini\. Name it mini\.X\.jinja, where X is one of system, instance, observation, format-error, timeout\./,
    );
  });

  it('override the templates of the profile they are named after', async () => {
    const file = await write('mini.system.jinja', 'Be brief.');
    const mini = profileNamed('mini');
    assert.deepEqual(await profileIn(folder, 'mini'), {
      ...mini,
      templates: { ...mini.templates, system: 'Be brief.' },
      sources: { system: file },
    });
    assert.equal(await profileIn(folder, 'hermes'), profileNamed('hermes'));
    await assert.rejects(profileIn(folder, 'maxi'), /no agent profile "maxi"/);
  });

  it('can be given one by one', async () => {
    const file = await write('anything.txt', 'Hello');
    assert.deepEqual(await readTemplates({ instance: file }), {
      templates: { instance: 'Hello' },
      sources: { instance: file },
    });
  });

  it('that cannot be read are reported with the reason and what to do', async () => {
    const missing = path.join(folder, 'missing.jinja');
    await assert.rejects(readTemplates({ system: missing }), {
      message: `The system template ${missing} cannot be read: The file does not exist. Create it, or correct its path in the settings.`,
    });
    await assert.rejects(
      readTemplates({ timeout: folder }),
      /The timeout template .* cannot be read: .*\. Make it a readable file\./,
    );
    await assert.rejects(
      readTemplates({ system: await write('latin', Buffer.from([0x48, 0xe9])) }),
      /It is not UTF-8 text\. Save it as UTF-8\./,
    );
    await assert.rejects(
      readTemplates({ system: await write('big', Buffer.alloc(1_000_001, 97)) }),
      /It has 1000001 bytes\. Keep it below 1000000\./,
    );
    await assert.rejects(
      readTemplates({ sistem: missing } as never),
      /There is no template sistem\. Templates: system, instance/,
    );
  });
});
