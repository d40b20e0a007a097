/** A file of an ImageStore. */
export interface ImageFile {
  /** `<projectKey>/<file name>`, ASCII letters, digits, `_`, `-`, one `/` and one `.` */
  readonly name: string;
  readonly sizeBytes: number;
  /** ms since the epoch. */
  readonly storedAtMs: number;
}

/**
 * Stores the files of images by name; files are immutable. Names are never reused, so a name that exists holds the same
 * image. Throws `ServiceError` `InsufficientStorage` if there is no room, `OverCapacity` if the store cannot be reached.
 */
export interface ImageStore {
  /** Durable before it resolves. False, and nothing is written, if the name exists. */
  put(name: string, bytes: Uint8Array): Promise<boolean>;
  /** Undefined if there is no such file. */
  find(name: string): Promise<ImageFile | undefined>;
  /** The bytes of an existing file from `first` to `last`, inclusive; throws if the file vanishes meanwhile. */
  read(name: string, first: number, last: number): AsyncIterable<Uint8Array>;
  /** False if there is no such file. */
  delete(name: string): Promise<boolean>;
  /** All files, grouped by project. Files put or deleted meanwhile may be listed or not. */
  list(): AsyncIterable<ImageFile>;
  /** Lists the files of one project. */
  listProject(projectKey: string): AsyncIterable<ImageFile>;
}
