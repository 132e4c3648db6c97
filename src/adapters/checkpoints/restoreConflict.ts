/** Something stands in the way of a restore; nothing was changed. The message is for people. */
export class RestoreConflict extends Error {
  constructor(
    message: string,
    readonly path: string,
  ) {
    super(message);
    this.name = 'RestoreConflict';
  }
}
