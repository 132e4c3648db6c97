import assert from 'node:assert/strict';
import fs from 'node:fs';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox';
import { temporaryFolder } from '../../contracts/terminal.contract';
import { accounts, sandboxed, withBubblewrap } from '../support/sandboxedCommands';

/** A bubblewrap before 0.8. */
const tooOld =
  '#!/bin/sh\ncase "$*" in *--disable-userns*) echo "bwrap: Unknown option --disable-userns" >&2; exit 1;; esac\nexec BWRAP "$@"\n';

describe('the kernel, seen from the sandbox', function () {
  this.timeout(60_000);
  before(async function () {
    if ('none' in (await findSandbox([temporaryFolder()]))) this.skip();
  }); // this machine does not support a sandbox

  for (const account of accounts) {
    it(`rejects changes to settings from ${account.name}`, async () => {
      // Writes back the current value, so that a leaking sandbox changes nothing on the machine.
      const setting = '/proc/sys/kernel/core_pattern';
      const {
        results: [written, opened],
      } = await sandboxed(account, [
        `value=$(cat ${setting}) && printf '%s\\n' "$value" > ${setting}`,
        `find /proc /sys -xdev -type f -not -path '/proc/[0-9]*' -not -path '/proc/self/*' -not -path '/proc/thread-self/*' -not -path '/proc/pressure/*' -writable 2>/dev/null | while read -r file; do [ -c "$file" ] || echo "$file"; done`,
      ]);
      assert.notEqual(written!.exitCode, 0);
      assert.match(written!.output, /Read-only file system|Permission denied/);
      assert.equal(opened!.output, '');
    });

    it(`cannot be remounted by ${account.name}, with or without a new namespace`, async () => {
      const setting = '/proc/sys/kernel/core_pattern';
      const { results } = await sandboxed(account, [
        'umount -l /proc/sys; mount -o remount,bind,rw /proc/sys; mount -t proc proc /tmp',
        'unshare -Urmpf bash -c "umount -l /proc/sys; mount -o remount,bind,rw /proc/sys; mount -t proc proc /tmp; cat /tmp/version"',
        `printf '%s\\n' "$(cat ${setting})" > ${setting}`,
      ]);
      for (const { exitCode, output } of results) assert.notEqual(exitCode, 0, output);
    });

    it(`shows ${account.name} no memory, keys or firmware`, async () => {
      const {
        results: [shown],
      } = await sandboxed(account, [
        'cat /proc/kcore /proc/keys /proc/timer_list; ls -A /sys/firmware /sys/kernel/debug; true',
      ]);
      assert.doesNotMatch(shown!.output.replace(/^(cat|ls): .*$/gm, '').replace(/^\/sys\/\S+:$/gm, ''), /\S/);
    });
  }

  for (const account of accounts) {
    it(`gives ${account.name} no namespace with full capabilities`, async () => {
      const {
        results: [made],
      } = await sandboxed(account, ['unshare -U --keep-caps grep CapEff /proc/self/status']);
      assert.notEqual(made!.exitCode, 0, made!.output);
    });
  }

  for (const account of accounts.filter(({ name }) => name !== 'root')) {
    it(`lets ${account.name} unmount nothing if bubblewrap allows namespaces`, async function () {
      const found = await findSandbox([temporaryFolder()]);
      if (!('sandbox' in found) || !found.sandbox.refusesCalls) this.skip(); // this system cannot refuse calls
      const nested =
        'unshare -Urm bash -c "echo nested; mkdir /tmp/own; mount -t tmpfs none /tmp/own && echo mounted; umount /tmp/own"';
      const {
        results: [tried],
      } = await sandboxed(account, [nested], { environment: withBubblewrap(tooOld) });
      if (!tried!.output.startsWith('nested')) this.skip(); // this system does not allow namespaces
      assert.notEqual(tried!.exitCode, 0, tried!.output);
      assert.match(tried!.output, /mounted\n.*(permi|superuser|not mounted)/i);
    });
  }

  describe('if root cannot be contained', () => {
    before(function () {
      if (process.getuid?.() !== 0) this.skip();
    }); // only root is refused

    const leaky =
      '#!/bin/bash\nargs=()\nwhile [ $# -gt 0 ]; do if [ "$1 $2" = "--ro-bind /proc/sys" ]; then shift 3; else args+=("$1"); shift; fi; done\nexec BWRAP "${args[@]}"\n';

    it('a required sandbox runs nothing and says why', async () => {
      const environment = withBubblewrap(leaky);
      const {
        cwd,
        results: [refused],
      } = await sandboxed({ name: 'root' }, ['touch ran'], { environment });
      assert.match(
        refused!.refused!,
        /does not confine this account here \(\/proc\/sys\/kernel\/core_pattern can be written\).*waymark\.sandbox.*Work as a user other than root/,
      );
      assert.deepEqual(fs.readdirSync(cwd), []);
    });

    it('a bubblewrap that leaves namespaces to root is rejected with the required version', async () => {
      const {
        results: [refused],
      } = await sandboxed({ name: 'root' }, ['true'], { environment: withBubblewrap(tooOld) });
      assert.match(refused!.refused!, /too old to confine the root account.*Install bubblewrap 0\.8 or later/);
    });

    it('an optional sandbox reports that it is off', async () => {
      const {
        results: [ran],
        notices,
      } = await sandboxed({ name: 'root' }, ['echo ran'], { environment: withBubblewrap(leaky), wanted: 'auto' });
      assert.equal(ran!.output, 'ran\n');
      assert.equal(ran!.sandbox, undefined);
      assert.match(notices.join(), /without a sandbox.*does not confine this account/);
    });
  });
});
