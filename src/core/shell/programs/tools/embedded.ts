import { flags, high, medium, takes, type Options, values } from '../../calls/options';
import { each } from '../../calls/manual';
import type { Manual, Manuals } from '../../calls/manual';
import { judgeTests } from '../special/building';
import { judgeDeviceShell, judgeNoUpload } from '../special/elsewhere';
import { judgeWrapper } from '../special/wrappers';

const builds = (options: Options): Manual => ({
  level: 'medium',
  reason: 'It builds the project.',
  operands: { rest: 'text' },
  judge: judgeTests,
  options,
});
const looks = (options: Options = []): Manual => ({
  level: 'low',
  operands: { rest: 'text' },
  others: 'high',
  options,
});
/** Whatever changes what a device or its memory holds is asked about. */
const changesDevice = 'It changes a device or what is installed for it.';

/** Building for boards and phones, and looking at them. */
export const embeddedTools: Manuals = {
  ...each('pio platformio', {
    level: 'high',
    reason: changesDevice,
    options: [flags('--version')],
    verbs: {
      // The target `upload` writes to a board.
      run: {
        ...builds([
          flags('-s --silent -v --verbose --list-targets'),
          values('-e --environment -j --jobs'),
          takes('search', '-d --project-dir'),
        ]),
        judge: judgeNoUpload,
      },
      ...each(
        'test check ci',
        builds([
          flags('-v -vv --without-uploading --without-testing --json-output'),
          values('-e --environment -f --filter -i --ignore --fail-on-defect --severity'),
        ]),
      ),
      boards: looks([flags('--installed --json-output')]),
      device: { level: 'high', verbs: { list: looks([flags('--serial --logical --json-output')]) } },
      ...each('pkg project system lib platform', {
        level: 'high',
        reason: changesDevice,
        verbs: {
          ...each(
            'list outdated show info config metadata search',
            looks([flags('-g --json-output'), values('-e'), takes('search', '-d')]),
          ),
        },
      }),
    },
  }),
  'idf.py': {
    level: 'high',
    reason: changesDevice,
    options: [flags('--version -v'), takes('search', '-C'), takes('write', '-B')],
    verbs: {
      ...each(
        'build all app bootloader reconfigure size size-components size-files docs',
        builds([flags('-v'), values('--format -j'), takes('write', '-B'), takes('search', '-C')]),
      ),
      ...each('clean fullclean', { level: 'medium', reason: 'It deletes build output.', operands: [], options: [] }),
      'set-target': { level: 'medium', reason: 'It changes files of the workspace.', operands: ['text'], options: [] },
      '--list-targets': looks(),
    },
  },
  west: {
    level: 'high',
    reason: changesDevice,
    options: [flags('--version -v')],
    verbs: {
      build: builds([
        flags('-c --cmake-only --'),
        values('-b --board -p --pristine -t --target -S --shield -T'),
        takes('write', '-d --build-dir'),
      ]),
      ...each(
        'list status topdir manifest diff boards help',
        looks([values('-f --format'), flags('--all -a --resolve --validate --freeze --path')]),
      ),
      ...each('twister test', builds([flags('-v -n -G'), values('-p --platform'), takes('search', '-T')])),
    },
  },
  'arduino-cli': {
    level: 'high',
    reason: changesDevice,
    options: [flags('--version')],
    verbs: {
      compile: builds([
        flags('--verbose -v -e --export-binaries'),
        values('-b --fqbn --warnings'),
        takes('write', '--build-path --output-dir'),
        takes('search', '--libraries'),
      ]),
      ...each('board core lib sketch config', {
        level: 'high',
        reason: changesDevice,
        verbs: {
          ...each(
            'list listall search details dump',
            looks([flags('--all --updatable'), values('--fqbn -b --format')]),
          ),
        },
      }),
      ...each('version help', looks()),
    },
  },
  ...each('esptool esptool.py', {
    level: 'high',
    reason: changesDevice,
    options: [values('--chip --port -p -c -b --baud')],
    verbs: { ...each('version image_info image-info', looks([values('--version')])) },
  }),
  ...each('avrdude openocd st-flash dfu-util JLinkExe probe-rs nrfjprog bossac picotool', {
    level: 'high',
    reason: changesDevice,
    options: [flags('--version -v --list -l')],
  }),
  dtc: {
    level: 'medium',
    reason: 'It builds the project.',
    operands: ['read'],
    options: [flags('-@ -q -s -v --version'), values('-I -O -W -p'), takes('write', '-o'), takes('search', '-i')],
  },
  ...each('fdtdump lsusb usbip_list i2cdetect_list', {
    level: 'low',
    operands: { rest: 'read' },
    others: 'low',
    options: [high(values('-s'))],
  }),
  adb: {
    level: 'high',
    reason: 'It controls a device.',
    options: [flags('--version -d -e'), values('-s')],
    verbs: {
      ...each('devices version get-state get-serialno help', looks([flags('-l')])),
      logcat: looks([flags('-d -s'), values('-v -b -t -T --pid -e'), high(flags('-c'), values('-G -f'))]),
      shell: { level: 'high', reason: 'It controls a device.', judge: judgeDeviceShell },
    },
  },
  emulator: { level: 'high', reason: 'It starts a device.', options: [flags('-list-avds -version')] },
  avdmanager: { level: 'high', reason: changesDevice, verbs: { list: looks([flags('-c')]) } },
  sdkmanager: { level: 'high', reason: changesDevice, options: [flags('--list --list_installed --version')] },
  aapt2: { level: 'high', verbs: { ...each('dump version', looks()) } },
  ...each('apkanalyzer bundletool', {
    level: 'high',
    verbs: { ...each('apk manifest dex files version validate dump', looks([takes('read', '--bundle --apk')])) },
  }),
  xcrun: {
    level: 'high',
    reason: 'It installs packages, publishes or changes data.',
    options: [flags('--version --show-sdk-path --show-sdk-version'), values('--find -f --sdk')],
    bare: { level: 'low', operands: [] },
    verbs: {
      simctl: {
        level: 'high',
        reason: changesDevice,
        verbs: {
          list: looks([flags('-j --json -v')]),
          ...each('getenv get_app_container', { level: 'high', reason: changesDevice }),
        },
      },
      ...each('xcodebuild swift swiftc', {
        level: 'high',
        reason: 'It builds the project.',
        judge: judgeWrapper,
        startsPrograms: true,
      }),
      ...each('xctrace devicectl', { level: 'high', verbs: { list: looks() } }),
      ...each('xccov xcresulttool', {
        level: 'high',
        verbs: {
          ...each(
            'view get',
            looks([
              flags('--report --json --only-targets --legacy'),
              values('--files-for-target --format'),
              takes('read', '--path'),
            ]),
          ),
        },
      }),
    },
  },
  ...each('xcbeautify xcpretty xcpretty-json', {
    level: 'low',
    operands: [],
    options: [
      flags(`
          -q --quiet --quieter --is-ci --simple --color --no-color --test --disable-colored-output -s
          -t -c --version
        `),
    ],
  }),
  plutil: {
    level: 'high',
    options: [flags('-help')],
    style: 'words',
    verbs: { ...each('-p -lint', { level: 'low', operands: { rest: 'read' } }) },
  },
  ...each('codesign spctl', {
    level: 'high',
    reason: 'It signs or checks programs.',
    style: 'words',
    options: [values('--entitlements'), medium(flags('-d -v -vv -dv -dvv --verify --display'))],
  }),
};
