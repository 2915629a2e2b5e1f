import type { Role } from '#contract/users.ts'

/** Several roles may stand in one field, separated by commas. */
export function hasRole(roles: string | null | undefined, role: Role): boolean {
  return (roles ?? '').split(',').some((name) => name.trim() === role)
}
