import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { findLocalServers, usualServers } from '../../../src/adapters/models/localServers';
import {
  modelFor,
  modelProviders,
  readOtherModel,
  type ModelProvider,
  type OtherModel,
} from '../../../src/adapters/models/models';
import { scriptedModel } from '../../../src/adapters/models/scriptedModel';
import type { Retry } from '../../../src/core/ports/model';
import { ask, problemFrom } from '../../support/ask';
import { failure, reply, startModelServer, type ModelServer } from '../../support/modelServer';

describe('a model chosen by settings', () => {
  it('is an OpenAI-compatible server, with retries', async () => {
    const server = await startModelServer([failure(503, 'warming up', { 'retry-after-ms': '1' }), reply('hello')]);
    try {
      const model = await modelFor({
        provider: 'compatible',
        baseUrl: server.baseUrl,
        name: 'test-model',
        apiKey: 'sk-12345678',
      });
      const retries: Retry[] = [];
      assert.equal((await ask(model, { onRetry: (one) => retries.push(one) })).reply.text, 'hello');
      assert.match(retries[0]!.why, /warming up/);
      assert.equal(server.requests[1]!.headers.authorization, 'Bearer sk-12345678');
    } finally {
      await server.stop();
    }
  });

  it('is the tutorial’s script from a file', async () => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'waymark-script-'));
    try {
      const script = path.join(folder, 'script.jsonl');
      await fs.writeFile(script, '{"say":"from the file","pauseMs":0}\n');
      const model = await modelFor({ provider: 'tutorial', script });
      assert.equal((await ask(model)).reply.text, 'from the file');
      assert.equal(model.info.scripted, true);
      assert.equal((await problemFrom(modelFor({ provider: 'tutorial', script: `${script}.gone` }))).kind, 'script');
    } finally {
      await fs.rm(folder, { recursive: true });
    }
  });

  it('names the missing setting', async () => {
    assert.match(
      (await problemFrom(modelFor({ provider: 'compatible', name: 'x' }))).message,
      /waymark\.model\.baseUrl/,
    );
    assert.match(
      (await problemFrom(modelFor({ provider: 'compatible', baseUrl: 'http://127.0.0.1/v1' }))).message,
      /waymark\.model\.name/,
    );
    assert.match(
      (await problemFrom(modelFor({ provider: 'nobody' }))).message,
      /“nobody” is not one of compatible, openai, .*tutorial/,
    );
  });

  it('may come from an added provider', async () => {
    const other: ModelProvider = { name: 'other', createModel: async () => scriptedModel([{ say: 'other' }]) };
    assert.equal((await ask(await modelFor({ provider: 'other' }, [...modelProviders, other]))).reply.text, 'other');
  });
});

describe('models beside the chosen one', () => {
  const names = () =>
    startModelServer(({ body }) =>
      body.model === 'down' ? failure(503, 'down', { 'retry-after-ms': '0' }) : reply('x', { model: body.model }),
    );
  const answering = async (
    settings: Parameters<typeof modelFor>[0],
    request: Parameters<typeof ask>[1] = {},
  ): Promise<string> => (await ask(await modelFor(settings), request)).reply.model;

  it('replace it after a few tries, and get its key only at the same URL', async () => {
    const [main, elsewhere] = await Promise.all([names(), names()]);
    const settings = { provider: 'compatible', baseUrl: main.baseUrl, name: 'down', apiKey: 'sk-12345678' };
    try {
      assert.equal(await answering({ ...settings, fallbacks: [{ name: 'down' }, { name: 'spare' }] }), 'spare');
      assert.equal(main.requests.at(-1)!.headers.authorization, 'Bearer sk-12345678');
      assert.equal(await answering({ ...settings, fallbacks: [readOtherModel(`${elsewhere.baseUrl} far`)] }), 'far');
      assert.equal(elsewhere.requests[0]!.headers.authorization, undefined);
    } finally {
      await Promise.all([main.stop(), elsewhere.stop()]);
    }
  });

  it('are named with the first request if they need a key and have none', async () => {
    const main = await names();
    const settings = { provider: 'compatible', baseUrl: main.baseUrl, name: 'main', apiKey: 'sk-12345678' };
    const far = readOtherModel('https://api.openai.com/v1 far');
    const noticesOf = async (fallbacks: readonly OtherModel[]): Promise<string[]> => {
      const notices: string[] = [];
      const model = await modelFor({ ...settings, fallbacks });
      for (const _ of [1, 2]) await ask(model, { onNotice: (words) => void notices.push(words) });
      return notices;
    };
    try {
      const [notice, ...more] = await noticesOf([far]);
      assert.match(notice!, /^The fallback model far has no API key, which OpenAI requires\. It cannot take over\./);
      assert.deepEqual(more, []);
      assert.deepEqual(await noticesOf([{ ...far, apiKey: 'sk-87654321' }, { name: 'spare' }]), []);
    } finally {
      await main.stop();
    }
  });

  it('get its headers and extra fields only at the same URL', async () => {
    const [main, elsewhere] = await Promise.all([names(), names()]);
    const settings = {
      provider: 'compatible',
      baseUrl: main.baseUrl,
      name: 'down',
      headers: { 'x-gateway': 'secret-of-gateway' },
      extraBody: { top_p: 0.9 },
    };
    const given = ({ requests }: ModelServer) => {
      const { headers, body } = requests.at(-1)!;
      return [body.model, headers['x-gateway'], body.top_p];
    };
    try {
      await answering({ ...settings, fallbacks: [{ name: 'spare' }] });
      assert.deepEqual(given(main), ['spare', 'secret-of-gateway', 0.9]);
      await answering({ ...settings, fallbacks: [readOtherModel(`${elsewhere.baseUrl} far`)] });
      assert.deepEqual(given(elsewhere), ['far', undefined, undefined]);
    } finally {
      await Promise.all([main.stop(), elsewhere.stop()]);
    }
  });

  it('alternate with it or read pictures for it', async () => {
    const server = await names();
    const settings = { provider: 'compatible', baseUrl: server.baseUrl, name: 'main' };
    const replied = [
      { role: 'user' as const, content: 'a' },
      { role: 'assistant' as const, content: 'b' },
      { role: 'user' as const, content: 'c' },
    ];
    const pictures = [{ role: 'user' as const, content: 'a', images: [{ mediaType: 'image/png', data: 'AAAA' }] }];
    try {
      const inTurn = { ...settings, alternates: { how: 'in_turn' as const, models: [{ name: 'other' }] } };
      assert.deepEqual([await answering(inTurn), await answering(inTurn, { messages: replied })], ['main', 'other']);
      assert.match(
        await answering({ ...settings, alternates: { how: 'by_lot', models: [{ name: 'other' }] } }),
        /^(main|other)$/,
      );
      assert.equal(await answering({ ...settings, vision: { name: 'eyes' } }, { messages: pictures }), 'eyes');
      assert.equal(await answering({ ...settings, vision: 'none' }, { messages: pictures }), 'main');
      assert.ok(!server.requests.at(-1)!.text.includes('AAAA'));
    } finally {
      await server.stop();
    }
  });

  it('are given by name, or by URL and name', () => {
    assert.deepEqual(readOtherModel(' gpt-5-mini '), { name: 'gpt-5-mini' });
    assert.deepEqual(readOtherModel('http://127.0.0.1:11434/v1  qwen3:8b'), {
      baseUrl: 'http://127.0.0.1:11434/v1',
      name: 'qwen3:8b',
    });
  });
});

describe('the search for local servers', () => {
  it('finds servers that list models, but no other programs, silent servers or closed ports', async () => {
    const real = await startModelServer([], { models: ['qwen', 'llama'] });
    const other = net
      .createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi'))
      .listen(0, '127.0.0.1');
    const silent = net.createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    await Promise.all(
      [other, silent].map((server) => server.listening || new Promise((resolve) => server.once('listening', resolve))),
    );
    const port = (server: net.Server): number => (server.address() as net.AddressInfo).port;
    const closed = await startModelServer([]);
    await closed.stop();
    try {
      const servers = [
        { name: 'Silent', port: port(silent) },
        { name: 'Real', port: real.port },
        { name: 'Web', port: port(other) },
        { name: 'Closed', port: closed.port },
      ];
      assert.deepEqual(await findLocalServers({ servers, timeoutMs: 400 }), [
        {
          name: 'Real',
          baseUrl: real.baseUrl,
          models: [
            { id: 'qwen', chats: true },
            { id: 'llama', chats: true },
          ],
        },
      ]);
      assert.equal(real.requests.length, 0, 'nothing but the list is asked for');
    } finally {
      await real.stop();
      other.close();
      silent.close();
    }
  });

  it('knows the usual ports', () => {
    assert.deepEqual(
      usualServers.map(({ name, port }) => `${name} ${port}`),
      ['Ollama 11434', 'LM Studio 1234', 'llama.cpp 8080', 'vLLM 8000'],
    );
  });

  it('rejects with the signal’s reason when it is stopped', async () => {
    const reason = new Error('stop');
    await assert.rejects(
      findLocalServers({ servers: [], signal: AbortSignal.abort(reason) }),
      (error) => error === reason,
    );
  });
});
