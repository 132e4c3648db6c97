import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

interface Setting {
  readonly scope?: string;
  readonly default: unknown;
}
interface Manifest {
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: string; readonly restrictedConfigurations: readonly string[] };
    readonly virtualWorkspaces: unknown;
  };
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Readonly<Record<string, Setting>> }[];
  } & Readonly<Record<string, unknown>>;
}
const manifest = JSON.parse(fs.readFileSync(path.join(process.env.REPOSITORY!, 'package.json'), 'utf8')) as Manifest;
const {
  contributes,
  capabilities: { untrustedWorkspaces },
} = manifest;
const settings = contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
const properties = Object.fromEntries(settings);

/** Settings that a repository may set, each with the reason why that is harmless. There are none. */
const harmless: Readonly<Record<string, string>> = {};

describe('a setting', () => {
  it('cannot come from a workspace: it is a machine or application setting', () => {
    assert.ok(settings.length > 20);
    assert.deepEqual(
      settings
        .filter(([name, { scope }]) => !(name in harmless) && scope !== 'machine' && scope !== 'application')
        .map(([name]) => name),
      [],
    );
  });

  it('is not read from an untrusted folder', () => {
    const restricted = new Set(untrustedWorkspaces.restrictedConfigurations);
    assert.deepEqual(
      settings.map(([name]) => name).filter((name) => !(name in harmless) && !restricted.has(name)),
      [],
    );
    assert.deepEqual(
      [...restricted].filter((name) => !(name in properties)),
      [],
    );
  });

  it('has a safe default', () => {
    assert.deepEqual(
      ['confirmation', 'mode', 'allowPatterns', 'ask.from', 'sandbox'].map(
        (name) => properties[`waymark.${name}`]!.default,
      ),
      ['risky', 'confirm', [], 'high', 'auto'],
    );
  });
});

describe('the manifest', () => {
  it('declares limited support for untrusted folders', () => assert.equal(untrustedWorkspaces.supported, 'limited'));

  it('starts nothing automatically, and contributes nothing that a repository or a link could start', () => {
    assert.deepEqual(
      manifest.activationEvents.filter((event) => /^(\*|onStartupFinished|onUri|workspaceContains)/.test(event)),
      [],
    );
    for (const kind of [
      'taskDefinitions',
      'debuggers',
      'mcpServerDefinitionProviders',
      'terminal',
      'configurationDefaults',
    ])
      assert.ok(!(kind in contributes), kind);
    // Schemas are shipped with the extension; the editor downloads none.
    for (const { url } of (contributes['jsonValidation'] ?? []) as { url: string }[]) assert.match(url, /^\.\/media\//);
  });
});
