import assert from 'node:assert/strict';
import { withoutSecrets } from '../../../src/core/secrets/secretShapes';

describe('a text without secrets', () => {
  it('hides keys, tokens and passwords, and keeps what they were called', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
    for (const [text, expected] of [
      [`key sk-${letters} end`, 'key [masked secret] end'],
      [`ghp_${letters}`, '[masked secret]'],
      [`AKIA${'ABCD'.repeat(4)}`, '[masked secret]'],
      [`Authorization: Bearer ${letters}`, 'Authorization: Bearer [masked secret]'],
      ['postgres://me:hunter22@host/db', 'postgres://me:[masked secret]@host/db'],
      ['API_KEY="abcdef123456"', 'API_KEY="[masked secret]"'],
      ['password: correct-horse', 'password: [masked secret]'],
      [`eyJ${letters}.eyJ${letters}.sig`, '[masked secret]'],
      ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nafter', '[masked secret]\nafter'],
    ] as const)
      assert.equal(withoutSecrets(text), expected);
  });

  it('leaves other words alone', () => {
    for (const text of [
      'The token count is 5.',
      'see https://example.com:8080/path',
      'a secret plan',
      'basic understanding of bearer authentication',
      String.raw`# Test: Basic functionality\ndata1 = 2`,
      'sk-short',
      'const password = input();'.slice(0, 16),
    ])
      assert.equal(withoutSecrets(text), text);
  });
});
