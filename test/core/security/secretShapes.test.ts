import assert from 'node:assert/strict';
import { withoutSecrets } from '../../../src/core/security/secretShapes';

describe('a text without secrets', () => {
  it('hides keys, tokens and passwords, and keeps what they were called', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
    for (const [text, expected] of [
      [`key sk-${letters} end`, 'key [secret] end'], [`ghp_${letters}`, '[secret]'], [`AKIA${'ABCD'.repeat(4)}`, '[secret]'],
      [`Authorization: Bearer ${letters}`, 'Authorization: Bearer [secret]'], ['postgres://me:hunter22@host/db', 'postgres://me:[secret]@host/db'],
      ['API_KEY="abcdef123456"', 'API_KEY="[secret]"'], ['password: correct-horse', 'password: [secret]'],
      [`eyJ${letters}.eyJ${letters}.sig`, '[secret]'], ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nafter', '[secret]\nafter'],
    ] as const) assert.equal(withoutSecrets(text), expected);
  });

  it('leaves other words alone', () => {
    for (const text of ['The token count is 5.', 'see https://example.com:8080/path', 'a secret plan', 'basic understanding of bearer authentication', 'sk-short', 'const password = input();'.slice(0, 16)]) assert.equal(withoutSecrets(text), text);
  });
});
