import { randomInt } from 'node:crypto'
import type { GenericEndpointContext } from 'better-auth'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'

const COUNT = 10
const LENGTH = 10
/** No letters that look like digits: these are typed from paper. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => {
    const code = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
    return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`
  })
}

type Ctx = Pick<GenericEndpointContext, 'context'>

/** As the library keeps them, which checks and uses them up. */
export function sealCodes({ context }: Ctx, codes: string[]): Promise<string> {
  return symmetricEncrypt({ key: context.secretConfig, data: JSON.stringify(codes) })
}

export async function countCodes({ context }: Ctx, sealed: string): Promise<number> {
  return (JSON.parse(await symmetricDecrypt({ key: context.secretConfig, data: sealed })) as string[]).length
}
