import { strict as assert } from 'node:assert';
import { changesPackages } from '../../../../src/core/security/taint/programs';

describe('what changes installed packages', () => {
  it('is what installs, and what downloads the program that it runs', () => {
    for (const command of ['npm install', 'cargo add serde', 'cargo install ripgrep', 'pipx run black', 'npx vite'])
      assert.equal(changesPackages(command), true, command);
  });

  it('is no build, and no program of the project', () => {
    for (const command of ['cargo run -q', 'cargo build', 'cargo test', 'npm test', 'flatpak run org.example.App'])
      assert.equal(changesPackages(command), false, command);
  });
});
