import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { settings } from '../../../src/core/settings/table';

const root = process.env.REPOSITORY!;
const read = (name: string): unknown => JSON.parse(fs.readFileSync(path.join(root, name), 'utf8'));

type Property = Readonly<Record<string, unknown>>;

interface Manifest {
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: {
    readonly configuration: readonly { readonly title: string; readonly properties: Record<string, Property> }[];
  };
}

const manifest = read('package.json') as Manifest;
const properties = Object.fromEntries(
  manifest.contributes.configuration.flatMap((group) => Object.entries(group.properties)),
);
/** Published settings that users rely on: keys, types, choices, ranges, defaults, scopes. */
const published = read('test/core/settings/published.json') as Record<string, Property>;

const words = new Set(['order', 'markdownDescription', 'markdownEnumDescriptions', 'enumDescriptions']);

function withoutWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutWords);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !words.has(name));
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutWords(each)]));
}

describe('the settings of package.json', () => {
  it('are what the table makes, with all words and the list of what an untrusted folder may not set', function () {
    this.timeout(30_000);
    const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'scripts/settings.mjs'), '--check'], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  });

  for (const [name, before] of Object.entries(published)) {
    it(`still hold ${name} as it was published`, () => {
      const { enum: choices, ...rest } = withoutWords(properties[name] ?? {}) as Property;
      const { enum: choicesBefore, ...restBefore } = before;
      assert.deepEqual(rest, restBefore);
      const lost = ((choicesBefore ?? []) as string[]).filter((each) => !((choices ?? []) as string[]).includes(each));
      assert.deepEqual(lost, []);
    });
  }

  it('are in groups, each once, and none is of an untrusted folder', () => {
    const { configuration } = manifest.contributes;
    assert.deepEqual(
      configuration.flatMap((group) => Object.keys(group.properties)).sort(),
      Object.keys(settings)
        .map((key) => `waymark.${key}`)
        .sort(),
    );
    assert.deepEqual(
      manifest.capabilities.untrustedWorkspaces.restrictedConfigurations,
      Object.keys(properties).sort(),
    );
  });
});
