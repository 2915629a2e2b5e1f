interface Skipped {
  what: string
  lacks: string[]
}
export const PROGRAMS: Record<string, string>
export const ON_POSTGRES: string[]
export const ON_BOTH: string[]
export function planInstall(machine: { missing: string[]; isRoot: boolean; hasApt: boolean }): {
  packages: string[]
  downloadsBrowser: boolean
}
export function planTests(missing: string[]): { steps: string[]; skipped: Skipped[] }
export function whatToInstall(missing: string[]): string | null
export function notRun(skipped: Skipped): string
