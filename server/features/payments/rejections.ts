import { AppError } from '#server/lib/errors.ts'

/** A genuine event of the gateway that must not be applied. It is stored for an administrator. */
export class Rejection extends AppError {}

export const reject = (reason: string) => new Rejection('bad_request', `Платёж не принят: ${reason}`)
