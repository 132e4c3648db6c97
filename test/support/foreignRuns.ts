import { formats } from '../../src/core/trajectory/formats/formats';
import { fullRun } from './trajectory';

/** The same run in every supported format: name, file to open, and all files by path. */
export const foreignRuns = (): {
  readonly format: string;
  readonly label: string;
  readonly open: string;
  readonly files: Readonly<Record<string, string>>;
}[] =>
  formats
    .filter(({ reader, write }) => reader && write)
    .map(({ name, label, write }) => {
      const written = write!(fullRun(), { version: '0.0.0', session: `as-${name}` });
      const files = Object.fromEntries(written.map(({ path, text }) => [`formats/${path}`, text]));
      return {
        format: name,
        label,
        files,
        open: Object.keys(files).find((path) => path.endsWith('base_state.json')) ?? Object.keys(files)[0]!,
      };
    });
