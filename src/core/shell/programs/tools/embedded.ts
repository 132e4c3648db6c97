import type { Manual, Manuals } from '../../calls/manual';
import { judgeTests } from '../special/building';
import { judgeDeviceShell, judgeNoUpload } from '../special/elsewhere';
import { judgeWrapper } from '../special/wrappers';

const builds = (options: string): Manual => ({
  level: 'medium',
  reason: 'It builds the project.',
  operands: 'text…',
  judge: judgeTests,
  options,
});
const looks = (options = ''): Manual => ({ level: 'low', operands: 'text…', others: 'high', options });
/** Whatever changes what a device or its memory holds is asked about. */
const changesDevice = 'It changes a device or what is installed for it.';

/** Building for boards and phones, and looking at them. */
export const embeddedTools: Manuals = {
  'pio platformio': {
    level: 'high',
    reason: changesDevice,
    options: '--version',
    verbs: {
      // The target `upload` writes to a board.
      run: {
        ...builds(
          '-e= --environment= -d=search --project-dir=search -j= --jobs= -s --silent -v --verbose --list-targets',
        ),
        judge: judgeNoUpload,
      },
      'test check ci': builds(
        '-e= --environment= -f= --filter= -i= --ignore= -v -vv --without-uploading --without-testing --fail-on-defect= --severity= --json-output',
      ),
      boards: looks('--installed --json-output'),
      device: { level: 'high', verbs: { list: looks('--serial --logical --json-output') } },
      'pkg project system lib platform': {
        level: 'high',
        reason: changesDevice,
        verbs: { 'list outdated show info config metadata search': looks('-e= -g --json-output -d=search') },
      },
    },
  },
  'idf.py': {
    level: 'high',
    reason: changesDevice,
    options: '--version -C=search -B=write -v',
    verbs: {
      'build all app bootloader reconfigure size size-components size-files docs': builds(
        '-v -B=write -C=search --format= -j=',
      ),
      'clean fullclean': { level: 'medium', reason: 'It deletes build output.', operands: '', options: '' },
      'set-target': { level: 'medium', reason: 'It changes files of the workspace.', operands: 'text', options: '' },
      '--list-targets': looks(),
    },
  },
  west: {
    level: 'high',
    reason: changesDevice,
    options: '--version -v',
    verbs: {
      build: builds(
        '-b= --board= -d=write --build-dir=write -p= --pristine= -t= --target= -c -S= --shield= -T= --cmake-only --',
      ),
      'list status topdir manifest diff boards help': looks(
        '-f= --format= --all -a --resolve --validate --freeze --path',
      ),
      'twister test': builds('-T=search -p= --platform= -v -n -G'),
    },
  },
  'arduino-cli': {
    level: 'high',
    reason: changesDevice,
    options: '--version',
    verbs: {
      compile: builds(
        '-b= --fqbn= --build-path=write --output-dir=write --warnings= --verbose -v -e --export-binaries --libraries=search',
      ),
      'board core lib sketch config': {
        level: 'high',
        reason: changesDevice,
        verbs: { 'list listall search details dump': looks('--fqbn= -b= --format= --all --updatable') },
      },
      'version help': looks(),
    },
  },
  'esptool esptool.py': {
    level: 'high',
    reason: changesDevice,
    options: '--chip= --port= -p= -c= -b= --baud=',
    verbs: { 'version image_info image-info': looks('--version=') },
  },
  'avrdude openocd st-flash dfu-util JLinkExe probe-rs nrfjprog bossac picotool': {
    level: 'high',
    reason: changesDevice,
    options: '--version -v --list -l',
  },
  dtc: {
    level: 'medium',
    reason: 'It builds the project.',
    operands: 'read',
    options: '-I= -O= -o=write -i=search -@ -q -s -W= -p= -v --version',
  },
  'fdtdump lsusb usbip_list i2cdetect_list': { level: 'low', operands: 'read…', others: 'low', options: '-s=!' },
  adb: {
    level: 'high',
    reason: 'It controls a device.',
    options: '--version -s= -d -e',
    verbs: {
      'devices version get-state get-serialno help': looks('-l'),
      logcat: looks('-d -v= -s -b= -t= -T= --pid= -e= -c! -G=! -f=!'),
      shell: { level: 'high', reason: 'It controls a device.', judge: judgeDeviceShell },
    },
  },
  emulator: { level: 'high', reason: 'It starts a device.', options: '-list-avds -version' },
  avdmanager: { level: 'high', reason: changesDevice, verbs: { list: looks('-c') } },
  sdkmanager: { level: 'high', reason: changesDevice, options: '--list --list_installed --version' },
  aapt2: { level: 'high', verbs: { 'dump version': looks() } },
  'apkanalyzer bundletool': {
    level: 'high',
    verbs: { 'apk manifest dex files version validate dump': looks('--bundle=read --apk=read') },
  },
  xcrun: {
    level: 'high',
    reason: 'It installs packages, publishes or changes data.',
    options: '--version --find= -f= --show-sdk-path --show-sdk-version --sdk=',
    bare: { level: 'low', operands: '' },
    verbs: {
      simctl: {
        level: 'high',
        reason: changesDevice,
        verbs: { list: looks('-j --json -v'), 'getenv get_app_container': { level: 'high', reason: changesDevice } },
      },
      'xcodebuild swift swiftc': {
        level: 'high',
        reason: 'It builds the project.',
        judge: judgeWrapper,
        startsPrograms: true,
      },
      'xctrace devicectl': { level: 'high', verbs: { list: looks() } },
      'xccov xcresulttool': {
        level: 'high',
        verbs: {
          'view get': looks('--report --json --only-targets --files-for-target= --path=read --format= --legacy'),
        },
      },
    },
  },
  'xcbeautify xcpretty xcpretty-json': {
    level: 'low',
    operands: '',
    options:
      '-q --quiet --quieter --is-ci --simple --color --no-color --test --disable-colored-output -s -t -c --version',
  },
  plutil: {
    level: 'high',
    options: '-help',
    style: 'words',
    verbs: { '-p -lint': { level: 'low', operands: 'read…' } },
  },
  'codesign spctl': {
    level: 'high',
    reason: 'It signs or checks programs.',
    style: 'words',
    options: '-d^ -v^ -vv^ -dv^ -dvv^ --verify^ --display^ --entitlements=',
  },
};
