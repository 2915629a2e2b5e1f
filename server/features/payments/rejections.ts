import { AppError } from '#server/lib/errors.ts'

/** News from the gateway that is genuine and yet must not be applied; it is kept for the administrator to see. */
export class Rejection extends AppError {}

export const refuse = (reason: string) => new Rejection('bad_request', `Платёж не принят: ${reason}`)
