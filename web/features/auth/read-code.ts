import { CODE_LENGTH } from '#contract/auth-factors.ts'

/** Apps show the code in two halves, and the space between them is often copied too. */
export function readCode(typed: string): string {
  const code = typed.replace(/\s/g, '')
  if (!new RegExp(`^\\d{${CODE_LENGTH}}$`).test(code)) throw new Error(`Введите ${CODE_LENGTH}\u00a0цифр кода.`)
  return code
}

/** Recovery codes are typed from paper: capitals, spaces and a missing dash are accepted. */
export function readRecoveryCode(typed: string): string {
  const code = typed.toLowerCase().replace(/[\s-]/g, '')
  if (code.length !== 10) throw new Error('Введите код восстановления целиком: десять знаков.')
  return `${code.slice(0, 5)}-${code.slice(5)}`
}
