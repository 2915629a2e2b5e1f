import { createAccessControl } from 'better-auth/plugins/access'

/** The specification's table of permissions, section 6. */
const permissions = {
  user: ['create', 'list', 'set-role', 'ban', 'impersonate', 'delete', 'set-password', 'get', 'update'],
  session: ['list', 'revoke', 'delete'],
} as const

export const ac = createAccessControl(permissions)

export const roles = {
  admin: ac.newRole({ user: [...permissions.user], session: [...permissions.session] }),
  user: ac.newRole({ user: [], session: [] }),
}
