import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { headerValues, secretsIn } from '../../../../src/core/model/headerValues';
import { providers } from '../../../../src/core/model/providers/providers';
import { protocolFor, providerAt, providerNamed, rulesFor } from '../../../../src/core/model/providers/rulesFor';

const at = (address: string): string | undefined => providerAt(new URL(address))?.id;

describe('the list of providers', () => {
  it('names each once, with an address of its own', () => {
    assert.equal(new Set(providers.map(({ id }) => id)).size, providers.length);
    for (const { id, baseUrl } of providers) assert.equal(at(baseUrl), id);
  });

  it('is what the setting offers', () => {
    const manifest = JSON.parse(fs.readFileSync(path.join(process.env['REPOSITORY']!, 'package.json'), 'utf8')) as {
      contributes: { configuration: { properties: Record<string, { enum: string[] }> }[] };
    };
    const offered = manifest.contributes.configuration[0]!.properties['waymark.model.provider']!.enum;
    assert.deepEqual(offered, [
      'auto',
      'compatible',
      'vscode',
      'tutorial',
      'extension',
      ...providers.map(({ id }) => id),
    ]);
  });

  it('is found by host names and by ports of this machine alone', () => {
    assert.deepEqual(
      [
        'https://me.openai.azure.com/openai/v1',
        'https://me.services.ai.azure.com/openai/v1',
        'http://localhost:11434/v1',
        'http://127.0.0.1:8000/v1',
      ].map(at),
      ['azure', 'azure', 'ollama', 'vllm'],
    );
    assert.deepEqual(
      ['https://notdeepseek.com/v1', 'https://models.example:11434/v1', 'https://api.openai.com.example/v1'].map(at),
      [undefined, undefined, undefined],
    );
  });

  it('says which protocol a model is asked by', () => {
    const protocols = (id: string, ...models: string[]): string[] =>
      models.map((model) => protocolFor(providerNamed(id), model));
    assert.deepEqual(protocols('openai', 'gpt-5.6-terra', 'o4-mini', 'gpt-5-codex', 'codex-mini-latest'), [
      'responses',
      'responses',
      'responses',
      'responses',
    ]);
    assert.deepEqual(protocols('openai', 'gpt-4.1', 'gpt-4o', 'gpt-5-chat-latest', 'chatgpt-4o-latest'), [
      'chat',
      'chat',
      'chat',
      'chat',
    ]);
    assert.deepEqual(protocols('groq', 'openai/gpt-oss-120b'), ['chat']);
    assert.deepEqual(protocols('anthropic', 'claude-opus-5-5', 'claude-3-haiku-20240307'), ['messages', 'messages']);
    assert.equal(protocolFor(undefined, 'gpt-5'), 'chat');
  });

  it('knows what the models of Anthropic take over its own protocol', () => {
    const taken = (model: string): unknown[] => {
      const { effort, efforts, temperature, thinksUnasked, boundThinking, usualLimit } = rulesFor(
        providerNamed('anthropic'),
        model,
        new URL('https://api.anthropic.com/v1'),
        'messages',
      );
      return [effort, efforts?.[0], efforts?.at(-1), temperature, thinksUnasked, boundThinking, usualLimit];
    };
    const budget = ['thinking.budget_tokens', undefined, undefined, true, false, false, 32_000];
    for (const model of [
      'claude-3-7-sonnet-20250219',
      'claude-sonnet-4-20250514',
      'claude-opus-4-1',
      'claude-opus-4-5-20251101',
      'claude-haiku-4.5',
      'glm-4.6',
    ]) {
      assert.deepEqual(taken(model), budget, model);
    }
    interface Adaptive {
      readonly first: string;
      readonly last: string;
      readonly temperature: boolean;
      readonly thinks: boolean;
      readonly bound: boolean;
    }
    const adaptive = ({ first, last, temperature, thinks, bound }: Adaptive): unknown[] => [
      'output_config.effort',
      first,
      last,
      temperature,
      thinks,
      bound,
      32_000,
    ];
    assert.deepEqual(
      taken('anthropic/claude-opus-4.6'),
      adaptive({ first: 'low', last: 'max', temperature: true, thinks: false, bound: false }),
    );
    assert.deepEqual(
      taken('claude-sonnet-4-6'),
      adaptive({ first: 'low', last: 'high', temperature: true, thinks: false, bound: false }),
    );
    assert.deepEqual(
      taken('claude-opus-4-8'),
      adaptive({ first: 'low', last: 'max', temperature: false, thinks: false, bound: false }),
    );
    assert.deepEqual(
      taken('claude-sonnet-5'),
      adaptive({ first: 'none', last: 'max', temperature: false, thinks: true, bound: false }),
    );
    assert.deepEqual(
      taken('claude-haiku-5-5'),
      adaptive({ first: 'none', last: 'max', temperature: false, thinks: true, bound: true }),
    );
    for (const model of ['claude-opus-5-5', 'claude-sonnet-5.5', 'claude-fable-5-1', 'claude-mythos-5-2'])
      assert.deepEqual(
        taken(model),
        adaptive({ first: 'low', last: 'max', temperature: false, thinks: true, bound: true }),
        model,
      );
    assert.deepEqual(
      taken('claude-fable-5'),
      adaptive({ first: 'low', last: 'max', temperature: false, thinks: true, bound: false }),
    );
    assert.deepEqual(taken('claude-3-haiku-20240307'), [null, undefined, undefined, true, false, false, 4_096]);
    assert.deepEqual(taken('claude-3-5-sonnet-20241022'), [null, undefined, undefined, true, false, false, 8_192]);
  });

  it('knows what older versions of an interface lack', () => {
    const rules = (version: string) =>
      rulesFor(
        providerNamed('azure'),
        'my-deployment',
        new URL(`https://me.openai.azure.com/openai/deployments/d?api-version=${version}`),
      );
    assert.deepEqual([rules('2024-06-01').streamUsage, rules('2024-10-21').streamUsage], [false, true]);
  });
});

describe('the values of further headers', () => {
  const sources = {
    env: (name: string) => (name === 'TEAM' ? 'agents' : undefined),
    secret: (name: string) => (name === 'portkey' ? 'pk-123456789' : undefined),
  };

  it('are taken from variables and secrets, and those are told apart', () => {
    const written = { 'x-team': 'all of ${env:TEAM}', 'x-portkey-api-key': '${secret:portkey}', 'x-plain': '$HOME' };
    assert.deepEqual(headerValues(written, sources), {
      headers: { 'x-team': 'all of agents', 'x-portkey-api-key': 'pk-123456789', 'x-plain': '$HOME' },
      hidden: ['agents', 'pk-123456789'],
    });
    assert.deepEqual(secretsIn(written), ['portkey']);
  });

  it('that are missing or cannot be sent are refused by name', () => {
    assert.throws(
      () => headerValues({ 'x-a': '${env:GONE}' }, sources),
      /environment variable GONE is not set, so the header x-a has no value/,
    );
    assert.throws(() => headerValues({ 'x-a': '${secret:gone}' }, sources), /secret gone is not set/);
    assert.throws(() => headerValues({ 'x a': 'b' }, sources), /“x a” is not a valid header name/);
    assert.throws(() => headerValues({ 'x-a': 'b\r\nx-c: d' }, sources), /line break/);
  });
});
