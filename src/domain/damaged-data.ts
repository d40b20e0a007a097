import { ServiceError } from '../contract/errors.ts';

/** Where a damage is, in the numbers of the store. */
export interface DamagePlace {
  /** Rows of a page, of which at least one is damaged. */
  readonly rows?: readonly number[] | undefined;
  /** The number of a change whose record is damaged. */
  readonly sequence?: number | undefined;
}

/** `DataCorruption` that says, inside of the service, where the damage is. */
export class DamagedData extends ServiceError {
  readonly place: DamagePlace;

  constructor(message: string, place: DamagePlace) {
    super('DataCorruption', message);
    this.place = place;
  }
}
