import { CODE_LENGTH } from '#contract/auth-factors.ts'

/** Apps show the code in two halves, and people copy the space too. */
export function readCode(typed: string): string {
  const code = typed.replace(/\s/g, '')
  if (!new RegExp(`^\\d{${CODE_LENGTH}}$`).test(code)) throw new Error(`Введите ${CODE_LENGTH}\u00a0цифр кода.`)
  return code
}

/** Typed from paper: capitals, spaces and a missing dash are forgiven. */
export function readRecoveryCode(typed: string): string {
  const code = typed.toLowerCase().replace(/[\s-]/g, '')
  if (code.length !== 10) throw new Error('Введите код восстановления целиком: десять знаков.')
  return `${code.slice(0, 5)}-${code.slice(5)}`
}
